"""The operations of a sheet, one file each; all of them stand in the registry."""
