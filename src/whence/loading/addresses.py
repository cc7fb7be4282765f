"""Network addresses that a download may connect to: public ones, resolved once and then pinned."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from whence.model.errors import BadInput

_TRANSLATED = IPv6Network("64:ff9b::/96")
"""Networks without IPv4 reach it through these addresses, which contain an IPv4 address."""


@dataclass(frozen=True)
class Address:
    """The parts of a web address, with the one IP address that will be connected to."""

    url: str
    scheme: str
    host: str
    port: int
    target: str
    number: str


def resolve(url: str, allow_private: bool = False) -> Address:
    """Parse an address and resolve its host once. Raise an error if it is not on the public network."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{_without_secrets(url)} is no web address.", "Addresses begin with http:// or https://.")
    if parts.username or parts.password:
        raise BadInput("A web address must not hold a name or password.", "Download the file yourself.")
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadInput(f"There is no host {parts.hostname}.", "Check the address.") from None
    numbers = [str(entry[4][0]) for entry in found]
    # All of them: a name with one public and one private address must not slip through.
    if not allow_private and not all(is_public(number) for number in numbers):
        raise BadInput(
            f"{parts.hostname} is not on the public network, so nothing is loaded from it.",
            "Pass allow_private=True if you mean it.",
        )
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(url=url, scheme=parts.scheme, host=parts.hostname, port=port, target=target, number=numbers[0])


def is_public(number: str) -> bool:
    """Whether an IP address is on the public network. IPv4 inside IPv6 is judged as IPv4.

    >>> is_public("93.184.215.14"), is_public("169.254.169.254"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    address = ip_address(number.split("%")[0])
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        address = inner or address
    return address.is_global and not address.is_multicast


def _without_secrets(url: str) -> str:
    return url.split("?")[0].rsplit("@", 1)[-1]
