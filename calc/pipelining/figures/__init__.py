"""The figures of lecture 3; `listed` has all of them, in the order of the page."""
