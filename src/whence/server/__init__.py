"""The HTTP face of a workspace: a guarded API and the page that reads it."""
