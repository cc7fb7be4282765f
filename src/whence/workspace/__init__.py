"""The public handles of whence: `Workspace`, `Dataset`, `Notebook`, `Chart`, `Sheet`, `Pipeline` and their parts."""
