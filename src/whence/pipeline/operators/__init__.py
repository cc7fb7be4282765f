"""Every operator of a pipeline, one file each."""
