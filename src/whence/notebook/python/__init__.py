"""The server's side of Python cells: predicts their footprint, answers their requests, and stores what they make."""
