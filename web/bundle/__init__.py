"""The code that runs in the reader's browser: fetched as pinned, verified, compiled, pruned, and named by content."""

from web.bundle.build import Bundle, build
from web.bundle.errors import BundleError

__all__ = ["Bundle", "BundleError", "build"]
