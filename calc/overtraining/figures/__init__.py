"""The figures of lecture 5; `listed` has all of them, in the order of the page."""
