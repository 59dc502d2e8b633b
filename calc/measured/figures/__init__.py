"""The live figures of measured runs; `listed` has all of them."""
