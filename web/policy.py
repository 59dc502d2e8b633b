"""Which files a page may load and run: the site's own, and no script that stands inside a page."""

from __future__ import annotations

HEADERS = "_headers"
_RULES = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # Python is WebAssembly
    "worker-src": "'self'",
    "connect-src": "'self'",
    "style-src": "'self'",
    "style-src-attr": "'unsafe-inline'",  # the places of the parts of a formula
    "img-src": "'self' data:",
    "font-src": "'self'",
    "base-uri": "'self'",
    "form-action": "'self'",
    "object-src": "'none'",
}
_FRAMES = {"frame-ancestors": "'self'"}  # of which a page itself cannot speak
_KEPT = "public, max-age=31536000, immutable"  # the names of these files carry their hash


def in_page() -> str:
    """The policy as a `meta` element says it."""
    return _said(_RULES)


def headers() -> str:
    """The file by which several static hosts take the headers of their answers."""
    lines = [f"Content-Security-Policy: {_said(_RULES | _FRAMES)}", "X-Content-Type-Options: nosniff"]
    lines += ["Referrer-Policy: strict-origin-when-cross-origin"]
    every = "\n".join(f"  {line}" for line in lines)
    return f"/*\n{every}\n\n/assets/engine/*\n  Cache-Control: {_KEPT}\n"


def _said(rules: dict[str, str]) -> str:
    return "; ".join(f"{name} {value}" for name, value in rules.items())
