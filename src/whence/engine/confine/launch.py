"""Starts a program in the sandbox. All processes that it starts are confined, too."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from whence.engine.confine.landlock import AccessRules, landlock_abi, restrict
from whence.engine.confine.privileges import give_up_privileges

_HANDSHAKE = "_PYSPARK_DRIVER_CONN_INFO_PATH"
"""Environment variable with the file in which PySpark waits for the port of the Java process it has started."""


def main(policy: str, program: str, *arguments: str) -> None:
    """Confine this process and replace it by the program."""
    given = json.loads(Path(policy).read_text(encoding="utf-8"))
    write = [*given["write"]]
    if _HANDSHAKE in os.environ:
        write.append(str(Path(os.environ[_HANDSHAKE]).parent))
    give_up_privileges()
    restrict(AccessRules(tuple(given["read"]), tuple(write), None), landlock_abi())
    kept = tuple(given["environment"])
    environment = {name: value for name, value in os.environ.items() if name.startswith(kept)} | given["set"]
    os.execve(program, [program, *arguments], environment)


if __name__ == "__main__":
    main(*sys.argv[1:])
