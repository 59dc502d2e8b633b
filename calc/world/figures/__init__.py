"""The figures of the course against the world; `listed` has all of them."""
