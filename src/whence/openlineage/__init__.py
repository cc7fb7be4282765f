"""OpenLineage: tells other tools of each run of a workspace, with the evidence that row lineage gives."""
