"""What a prompt completes after `whence.`."""

from __future__ import annotations

import whence


def test_the_module_completes_to_its_public_names() -> None:
    assert dir(whence) == sorted(whence.__all__)
    assert [name for name in dir(whence) if not hasattr(whence, name)] == []
