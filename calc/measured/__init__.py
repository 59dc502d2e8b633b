"""Runs that were measured, each with its bound and its forecast, as a page shows them: it travels with them alone."""
