from __future__ import annotations

import json
from pathlib import Path

from tools.web import missing_from_lock


def test_a_lock_without_the_binaries_of_other_platforms_is_seen(tmp_path: Path) -> None:
    lock = tmp_path / "package-lock.json"
    packages = {
        "": {"dependencies": {"builder": "1"}},
        "node_modules/builder": {"optionalDependencies": {"@builder/linux": "1", "@builder/win32": "1", "nested": "1"}},
        "node_modules/@builder/linux": {"optional": True},
        "node_modules/builder/node_modules/nested": {"optional": True},
    }
    lock.write_text(json.dumps({"packages": packages}))
    assert missing_from_lock(lock) == ["@builder/win32"]
