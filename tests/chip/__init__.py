"""Times of one chip: kernels of the models of this course, run by `make chip` where a GPU and PyTorch are.

Rows go into `calc/catalog/measurements/chip.csv` and are never edited by hand. Times are medians of replayed CUDA
graphs, so that starting a kernel from Python is not a part of them. Inputs are random: zeros run faster.
"""
