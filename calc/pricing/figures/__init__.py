"""The figures of lecture 6; `listed` has all of them, in the order of the page."""
