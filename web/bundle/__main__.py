"""`make setup`: fetch all that is pinned and make the bundle, so that a build needs no network."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

from web.bundle import BundleError, build
from web.bundle.fetch import everything

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Say what is being made and how large it became."""
    try:
        everything(ROOT / ".cache" / "rooflines", print)
        bundle = build(ROOT, print)
    except BundleError as error:
        sys.exit(str(error))
    sizes = {name: len(gzip.compress(path.read_bytes())) for name, path in bundle.files.items()}
    live, small = (sum(sizes[name] for name in way) / 1e6 for way in (bundle.live, bundle.small))
    vega = sizes[Path(bundle.vega).name] / 1e3
    print(
        f"The browser bundle: {live:.2f} MB gzipped until a page is live, {small:.2f} MB over a slow link, "
        f"and {vega:.0f} kB to draw its charts."
    )


if __name__ == "__main__":
    main()
