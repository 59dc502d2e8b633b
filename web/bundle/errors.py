"""The faults that can arise while the browser bundle is made."""


class BundleError(Exception):
    """One sentence that says what is wrong and which command mends it."""
