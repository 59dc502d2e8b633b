"""The figures of lecture 2; `listed` has all of them, in the order of the page."""
