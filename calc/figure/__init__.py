"""A figure: its declaration, its registry, the answers that a page asks for, and the look of charts."""
