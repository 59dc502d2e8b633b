"""Install what drives the other browsers where that is possible, and say what is missing: `make browser`."""

from __future__ import annotations

import subprocess

from tests.browser.chromium import apt, may_install
from tests.browser.engines.engines import ENGINES


def main() -> None:
    """Debian's packages where we may install them; a browser that is missing fails nobody."""
    packages = [package for engine in ENGINES if engine.missing() for package in engine.packages]
    if packages and may_install():
        print(f"Installing {', '.join(packages)} for the core tests (about 150 MB, once) …", flush=True)
        try:
            apt(*packages)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"Installing them failed ({error}).")
    for engine in ENGINES:
        print(engine.missing() or f"The core is also tested in {engine.name}.")


if __name__ == "__main__":
    main()
