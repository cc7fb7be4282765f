"""Every transformation, a file each."""
