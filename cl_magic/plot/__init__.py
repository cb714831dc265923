"""Values to Matplotlib figures."""
