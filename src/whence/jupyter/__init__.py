"""What Jupyter loads with `%load_ext whence`: the cell magic `%%whence`, and tables whose values show their sources."""
