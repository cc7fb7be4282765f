"""Preparation of data in steps that know what they did to every value."""
