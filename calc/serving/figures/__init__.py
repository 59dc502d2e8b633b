"""The figures of lecture 8; `listed` has all of them, in the order of the page."""
