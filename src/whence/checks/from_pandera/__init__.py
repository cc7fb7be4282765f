"""Schemas of pandera as checks: what has a rule becomes a check of ours, and pandera itself runs the rest."""
