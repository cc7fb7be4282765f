"""The commands of `whence`, one file for each group.

A command loads what it needs when it runs (`LazyModule`): all of it takes seconds, and most commands need little of it.
"""
