"""A server of whence from Python: typed calls made from its contract, and the events of a notebook.

>>> from whence.client import Client
>>> Client("http://127.0.0.1:8321", "a token").address
'http://127.0.0.1:8321'
"""

from whence.client.client import Client
from whence.client.connection import ApiError, NoAnswer

__all__ = ["ApiError", "Client", "NoAnswer"]
