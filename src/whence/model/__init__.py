"""The words every layer shares: ids, schemas, caveats, cell references and errors. Standard library only."""
