"""The figures of lecture 4; `listed` has all of them, in the order of the page."""
