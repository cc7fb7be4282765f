"""The kinds of check, one file each."""
