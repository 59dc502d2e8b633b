"""The figures of lecture 7; `listed` has all of them, in the order of the page."""
