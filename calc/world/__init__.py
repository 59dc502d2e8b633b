"""The models held against measurements: taking them in, and judging what is computed by them. Not for a browser."""
