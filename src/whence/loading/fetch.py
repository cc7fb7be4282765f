"""Downloads a file over http or https, with limits on the addresses, the size and the time."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
import time
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote, urljoin, urlsplit

from whence.loading.addresses import Address, resolve
from whence.loading.progress import Progress
from whence.model.errors import BadInput
from whence.store.durable import writing

MOST_BYTES = 2 << 30
MOST_SECONDS = 60.0
MOST_REDIRECTS = 3
_STEP = 1 << 18
_REDIRECTS = (301, 302, 303, 307, 308)


def is_web_address(place: str) -> bool:
    """Whether this is a web address."""
    return place.lower().startswith(("http://", "https://"))


def file_name(url: str) -> str:
    """Return a safe file name for an address."""
    last = unquote(urlsplit(url).path.rstrip("/").rpartition("/")[2])
    return re.sub(r"[^\w.\-]+", "_", last)[-100:] or "download"


def fetch(url: str, folder: Path, allow_private: bool = False, progress: Progress | None = None) -> Path:
    """Download the file. Every redirect is checked like the first address."""
    deadline = time.monotonic() + MOST_SECONDS
    for _ in range(MOST_REDIRECTS + 1):
        address = resolve(url, allow_private)
        try:
            further = _get(address, folder, deadline, progress)
        except (OSError, http.client.HTTPException) as error:
            raise BadInput(f"{address.host} did not send the file: {str(error) or type(error).__name__}.") from error
        if isinstance(further, Path):
            return further
        url = urljoin(url, further)
    raise BadInput(
        f"{url.split('?')[0]} was reached by more than {MOST_REDIRECTS} redirects.", "Use the final address."
    )


def _get(address: Address, folder: Path, deadline: float, progress: Progress | None) -> Path | str:
    """Return the downloaded file, or the address to which the server redirects."""
    connection = _Pinned(address, timeout=max(0.1, min(10.0, deadline - time.monotonic())))
    try:
        # "identity": http.client does not unpack compressed answers.
        connection.request("GET", address.target, headers={"User-Agent": "whence", "Accept-Encoding": "identity"})
        response = connection.getresponse()
        if response.status in _REDIRECTS and (location := response.getheader("Location")):
            return location
        if response.status != 200:
            raise BadInput(f"{address.host} answers {response.status} {response.reason}.", "Check the address.")
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / file_name(address.url)
        with writing(target), target.open("xb") as file:
            _copy(response, file, deadline, progress)
        return target
    finally:
        connection.close()


def _copy(response: http.client.HTTPResponse, file: BinaryIO, deadline: float, progress: Progress | None) -> None:
    done, total = 0, response.length or 0
    # `read1` returns what has arrived, so that a slow server cannot hold up the deadline.
    while chunk := response.read1(_STEP):
        done += len(chunk)
        # Counted here, because the length that a server states may be wrong or absent.
        if done > MOST_BYTES:
            raise BadInput(f"The file is larger than {MOST_BYTES >> 30} GB.", "Download it yourself and load it here.")
        if time.monotonic() > deadline:
            raise BadInput(f"The download took more than {MOST_SECONDS:.0f} seconds.", "Download it yourself.")
        file.write(chunk)
        if progress is not None:
            progress.step(done, max(total, done), "downloading")
    if response.length:
        raise BadInput("The download broke off before its end.", "Try again.")


class _Pinned(http.client.HTTPConnection):
    """A connection to the IP address that was checked, whatever the name resolves to by now (DNS rebinding)."""

    def __init__(self, address: Address, timeout: float) -> None:
        super().__init__(address.host, address.port, timeout=timeout)
        self._address = address

    def connect(self) -> None:
        """Connect to the checked IP address, and verify the certificate against the host's name."""
        self.sock = socket.create_connection((self._address.number, self._address.port), self.timeout)
        if self._address.scheme == "https":
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self._address.host)
