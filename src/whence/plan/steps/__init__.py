"""The operators, one file each: schema, lineage rule, column map and caveat rule side by side."""
