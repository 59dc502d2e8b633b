"""The figures of lecture 1; `listed` has all of them, in the order of the page."""
