"""What an engine does with PyOpenCL; only here is it imported."""
