"""Row and cell lineage: what a run carried becomes blocks of ids, and blocks answer questions."""
