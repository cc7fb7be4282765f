"""The version model: edits, the history they make, and what two versions differ in. No Spark here."""
