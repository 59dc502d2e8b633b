"""The mathematics of training, serving and pricing language models: pure functions, sourced facts, checked claims."""

__version__ = "0.1.0"
