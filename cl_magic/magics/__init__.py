"""IPython only here: the %opencl and %%opencl magics."""
