"""A pipeline's provenance in the forms other tools read."""
