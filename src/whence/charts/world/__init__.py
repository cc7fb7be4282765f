"""The world: which outline a name or code of a country means, and how the globe becomes flat."""
