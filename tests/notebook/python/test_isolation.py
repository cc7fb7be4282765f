"""What a Python cell must not be able to do, tried from inside one."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from tests.notebook.python.conftest import RunPython
from whence.engine.confine.confine import Limits
from whence.engine.confine.landlock import TCP_SINCE, landlock_abi
from whence.model.errors import BadInput
from whence.notebook.cell import CellResult
from whence.notebook.cell_error import CellFailed
from whence.notebook.control import Cancelled, RunControl
from whence.notebook.display import Rich, Stream
from whence.notebook.workers.channel import Channel, Message
from whence.notebook.workers.pool import Pool

needs_landlock = pytest.mark.skipif(landlock_abi() < TCP_SINCE, reason="this kernel has no Landlock with TCP rules")

_TRY = """
import json
outcomes = {}
def attempt(name, code):
    try:
        exec(code, {"ws": ws})
        outcomes[name] = "open"
    except BaseException as error:
        outcomes[name] = type(error).__name__
for name, code in ATTACKS.items():
    attempt(name, code)
print(json.dumps(outcomes))
"""


def _printed(result: CellResult) -> str:
    return "".join(each.text for each in result.displays if isinstance(each, Stream))


def _try(python: RunPython, attacks: dict[str, str]) -> dict[str, str]:
    outcomes: dict[str, str] = json.loads(_printed(python(f"ATTACKS = {attacks!r}\n{_TRY}")))
    return outcomes


@needs_landlock
def test_files_and_processes_of_others_are_out_of_reach(python: RunPython, tmp_path: Path) -> None:
    store = python.store
    parts = store.layout.dataset(store.current("secret").id)
    outside = str(tmp_path / "outside.txt")
    Path(outside).write_text("mine")
    before = os.stat(outside)
    database, another = repr(str(store.layout.database)), repr(str(parts))
    attacks = {
        "server database": f"open({database}, 'rb').read()",
        "server database by sqlite": f"import sqlite3; sqlite3.connect({database}).execute('pragma page_count')",
        "rows of another dataset": f"import pyarrow.parquet as pq; pq.read_table({another})",
        "rows by Arrow's own threads": f"import pyarrow.dataset as d; d.dataset({another}).to_table(use_threads=True)",
        "list of datasets": f"import os; os.listdir({str(store.layout.datasets)!r})",
        "home": "import os; os.listdir('/root' if os.getuid() == 0 else os.path.expanduser('~' + os.getlogin()))",
        "other file": f"open({str(tmp_path / 'outside.txt')!r}).read()",
        "write elsewhere": f"open({str(tmp_path / 'new.txt')!r}, 'w')",
        "delete elsewhere": f"import os; os.remove({str(tmp_path / 'outside.txt')!r})",
        "truncate elsewhere": f"import os; os.truncate({str(tmp_path / 'outside.txt')!r}, 0)",
        "write into a library": "import pandas; open(pandas.__file__, 'a')",
        "link and read": f"import os; os.symlink({str(store.layout.database)!r}, 'db'); open('db', 'rb').read()",
        "hard link": f"import os; os.link({str(store.layout.database)!r}, 'hard')",
        "another worker's folder": f"import os; os.listdir({str(store.layout.temporary)!r})",
        "environment of the server": f"open('/proc/{os.getpid()}/environ', 'rb').read()",
        "memory of the server": f"open('/proc/{os.getpid()}/mem', 'rb').read(1)",
        "signal to the server": f"import os; os.kill({os.getpid()}, 0)",
        "leave the process group": "import os; os.setsid()",
        "leave by setpgid": "import os; os.setpgid(0, 0)",
        "more memory": "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
        "new namespace": "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000): raise OSError",
        "namespace by clone": "import ctypes\nif ctypes.CDLL(None).clone(0, 0, 0x10000011, 0) < 0: raise OSError",
        "limits of the server": f"import resource; resource.prlimit({os.getpid()}, resource.RLIMIT_CORE, (0, 0))",
        "affinity of the server": f"import os; os.sched_setaffinity({os.getpid()}, {{0}})",
        "priority of the server": f"import os; os.setpriority(os.PRIO_PROCESS, {os.getpid()}, 19)",
        "priority of the user": "import os; os.setpriority(os.PRIO_USER, 0, 19)",
        "shared memory": "import ctypes\nif ctypes.CDLL(None).shmget(0, 4096, 0o1600) < 0: raise OSError",
        "message queue": "import ctypes\nif ctypes.CDLL(None).msgget(0, 0o1600) < 0: raise OSError",
        "memory in a file": "import os; os.memfd_create('x')",
        "watch a folder": "import ctypes\nif ctypes.CDLL(None).inotify_init() < 0: raise OSError",
        "attribute elsewhere": f"import os; os.setxattr({outside!r}, 'user.x', b'1')",
        "flags elsewhere": "import ctypes; flags = ctypes.create_string_buffer(24)\n"
        f"if ctypes.CDLL(None).syscall(469, -100, {outside.encode()!r}, flags, 24, 0) < 0: raise OSError",
        "mount": "import ctypes\nif ctypes.CDLL(None).mount(b'x', b'.', b'tmpfs', 0, None): raise OSError",
        "3 GB": "b'x' * (3 << 30)",
    }
    outcomes = _try(python, attacks)
    assert {name: how for name, how in outcomes.items() if how == "open"} == {}
    assert Path(outside).read_text() == "mine"
    assert outcomes["3 GB"] == "MemoryError"
    _try(python, {"mode": f"import os; os.chmod({outside!r}, 0)", "times": f"import os; os.utime({outside!r}, (1, 1))"})
    after = os.stat(outside)
    assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


def test_a_cell_can_copy_its_own_files(python: RunPython) -> None:
    """Setting modes and times has no effect, and is no error: `shutil` does so with every copy."""
    source = "import shutil\nopen('a', 'w').write('x')\nshutil.copy2('a', 'b')\nprint(open('b').read())"
    assert _printed(python(source)) == "x\n"


@needs_landlock
def test_there_is_no_network(python: RunPython) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as named:
        port = server.getsockname()[1]
        named.bind(f"\0whence-{os.getpid()}")
        named.listen()
        outcomes = _try(
            python,
            {
                "connect to the server": f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)",
                "http": f"import urllib.request; urllib.request.urlopen('http://127.0.0.1:{port}', timeout=2)",
                "datagrams": "from socket import *; socket(AF_INET, SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
                "another protocol": "import socket; socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)",
                "raw": "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
                "netlink": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
                "abstract socket": f"import socket; socket.socket(socket.AF_UNIX).connect('\\0whence-{os.getpid()}')",
                "listen": "import socket; socket.create_server(('127.0.0.1', 0))",
                "names": "import socket; socket.getaddrinfo('example.com', 80)",
            },
        )
    assert {name: how for name, how in outcomes.items() if how == "open"} == {}


@needs_landlock
def test_only_tcp_to_the_one_port_is_left_where_a_cell_may_reach_spark(python: RunPython) -> None:
    """127.0.0.2 stands for another machine: Landlock's rule knows ports, but no addresses."""
    pool = Pool(python.store.layout.temporary, Limits(3 << 30), kept=0)
    with socket.create_server(("127.0.0.1", 0)) as spark, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [each.getsockname()[1] for each in (spark, other)]
        elsewhere = socket.create_server(("127.0.0.2", ports[0]))
        pool.allow(ports[0])
        stream = "from socket import *; s = socket(AF_INET, SOCK_STREAM{}); "
        attacks = {
            "spark": stream.format("") + f"s.connect(('127.0.0.1', {ports[0]}))",
            "tcp elsewhere": stream.format("") + f"s.connect(('127.0.0.1', {ports[1]}))",
            "the same port of another machine": stream.format("") + f"s.connect(('127.0.0.2', {ports[0]}))",
            "multipath tcp": stream.format(", 262") + f"s.connect(('127.0.0.1', {ports[1]}))",
            "sending connects": stream.format("") + f"s.sendto(b'x', 0x20000000, ('127.0.0.1', {ports[1]}))",
            "listen without bind": stream.format("") + "s.listen()",
            "bind": stream.format("") + "s.bind(('127.0.0.1', 0))",
        }
        try:
            outcomes = json.loads(_printed(python(f"ATTACKS = {attacks!r}\n{_TRY}", pool=pool)))
        finally:
            pool.close()
            elsewhere.close()
    assert {name for name, how in outcomes.items() if how == "open"} == {"spark"}


def test_the_environment_holds_no_secret(python: RunPython, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_TEST_TOKEN", "s3cret-token")
    pool = Pool(python.store.layout.temporary, Limits(3 << 30), kept=0)
    try:
        shown = _printed(
            python(
                "import os, sys, gc\n"
                "print(dict(os.environ), sys.argv, open('/proc/self/environ').read())\n"
                "print([each for each in gc.get_objects() if isinstance(each, str) and 's3cret' in each])",
                pool=pool,
            )
        )
    finally:
        pool.close()
    assert "s3cret-token" not in shown
    assert "gateway" not in shown.lower()


def test_only_asked_rows_arrive(python: RunPython) -> None:
    """Other datasets come by open descriptors alone, and those of others are not among them."""
    source = "import os\nt = ws['parts'].to_arrow()\nprint(os.popen('ls -l /proc/%d/fd' % os.getpid()).read())"
    shown = _printed(python(source))
    assert python.store.current("secret").id not in shown
    assert "meta.db" not in shown


def test_a_million_prints_are_cut(python: RunPython) -> None:
    before = psutil.Process().memory_info().rss
    shown = _printed(python("for number in range(1_000_000):\n    print('line', number)"))
    assert "output was cut here" in shown
    assert len(shown) < 5_300_000
    assert psutil.Process().memory_info().rss - before < 50 << 20


def test_half_characters_are_replaced_wherever_a_cell_shows_them(python: RunPython) -> None:
    shown = python("class Half:\n    def _repr_html_(self): return chr(0xD800)\nprint(chr(0xDC80))\nHalf()").displays
    assert [each for each in shown if isinstance(each, Stream)] == [Stream("stdout", "\ufffd\n")]
    assert [each.data["text/html"] for each in shown if isinstance(each, Rich)] == ["\ufffd"]
    with pytest.raises(CellFailed, match="ValueError: \ufffd"):
        python("raise ValueError(chr(0xD800))")


def test_an_output_nested_too_deep_is_left_out(python: RunPython) -> None:
    nested = "data = 1\nfor _ in range(900): data = [data]\n"
    (shown,) = python(f"{nested}class Deep:\n    def _repr_json_(self): return data\nDeep()").displays
    assert isinstance(shown, Rich)
    assert set(shown.data) == {"text/plain"}
    told = python(f"{nested}display({{'text/plain': 'deep', 'application/json': data}}, raw=True)").displays
    assert told[0] == Rich({"text/plain": "deep"})
    assert "more than 100 levels" in _printed(CellResult(displays=told[1:]))


@pytest.mark.parametrize(
    ("made", "refusal"),
    [
        ("{'a': pa.nulls(200_000_000)}", "claims 200,000,000 rows"),
        ("{f'c{n}': [1] for n in range(20_000)}", "has 20,000 columns"),
    ],
)
def test_tables_far_larger_than_their_files_are_refused(python: RunPython, made: str, refusal: str) -> None:
    with pytest.raises(BadInput, match=refusal):
        python(f"import pyarrow as pa\nws['x'] = pa.table({made})")


def test_recursion_without_end_ends_whatever_limit_is_set(python: RunPython) -> None:
    with pytest.raises(CellFailed, match="RecursionError"):
        python("import sys\nsys.setrecursionlimit(10**9)\ndef f(n): return f(n + 1)\nf(0)")


def test_a_fork_bomb_names_the_limit_and_is_gone(python: RunPython) -> None:
    pool = Pool(python.store.layout.temporary, Limits(3 << 30, processes=20), kept=0)
    started = time.monotonic()
    try:
        with pytest.raises(CellFailed, match="more than 20 processes"):
            python(
                "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(60)\ntime.sleep(60)",
                pool=pool,
            )
    finally:
        pool.close()
    assert time.monotonic() - started < 60  # the children sleep that long
    assert _processes_in(python.store.layout.temporary) == []


def test_what_a_cell_started_ends_with_it(python: RunPython) -> None:
    python("import subprocess\nsubprocess.Popen(['sleep', '300'])")
    assert _processes_in(python.store.layout.temporary) == []


def test_orphans_of_a_cell_end_with_it_even_if_its_process_ended_first(python: RunPython) -> None:
    orphan = "import os, subprocess\nsubprocess.run(['sh', '-c', 'sleep 300 & exec true'])\n"
    python(orphan)
    with pytest.raises(CellFailed):
        python(orphan + "os._exit(3)")
    assert _processes_in(python.store.layout.temporary) == []


def test_a_cell_that_ignores_signals_is_stopped(python: RunPython) -> None:
    source = (
        "from signal import *\nfor each in (SIGTERM, SIGINT):\n    signal(each, SIG_IGN)\nprint('on')\nwhile True: pass"
    )
    started = _cancelled_when_shown(python, source)
    assert time.monotonic() - started < 5


def test_cancel_interrupts_a_sleeping_cell(python: RunPython) -> None:
    started = _cancelled_when_shown(python, "import time\nprint('on', flush=True)\ntime.sleep(300)")
    assert time.monotonic() - started < 2


def _cancelled_when_shown(python: RunPython, source: str) -> float:
    shown = threading.Event()
    control = RunControl(emit=lambda _: shown.set())
    moment = []

    def cancel() -> None:
        shown.wait(30)
        moment.append(time.monotonic())
        control.cancel()

    waiting = threading.Thread(target=cancel)
    waiting.start()
    with pytest.raises(Cancelled):
        python(source, control=control)
    waiting.join()
    return moment[0]


def test_a_deadline_is_named(python: RunPython) -> None:
    pool = Pool(python.store.layout.temporary, Limits(3 << 30, seconds=0.5), kept=0)
    try:
        with pytest.raises(CellFailed, match=r"more than 0\.5 seconds"):
            python("while True:\n    pass", pool=pool)
    finally:
        pool.close()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import os\nos._exit(3)", "ended itself with code 3"),
        pytest.param("import os\nos.kill(os.getpid(), 11)", "crashed", marks=pytest.mark.long),
        pytest.param("import os\nos.kill(os.getpid(), 9)", "was killed", marks=pytest.mark.long),
    ],
)
def test_a_lost_process_is_named(python: RunPython, source: str, said: str) -> None:
    with pytest.raises(CellFailed, match=said):
        python(source)


_CHANNEL = """
import gc, os, socket
end = next(each for each in gc.get_objects() if isinstance(each, socket.socket))
end.sendall({bytes!r})
"""


@pytest.mark.parametrize(
    "bytes",
    [
        b"\x7f\xff\xff\xff" + b"x" * 100,  # two gigabytes are announced
        b"\x00\x00\x00\x02\xff\xfe",  # not UTF-8
        pytest.param(b'\x00\x00\x00\x0d{"t": "table"}', marks=pytest.mark.long),
        pytest.param(b'\x00\x00\x00\x10{"t": "unknown"}', marks=pytest.mark.long),
        pytest.param(b"\x00\x00\x0f\xff" + b"[" * 0xFFF, marks=pytest.mark.long),
    ],
)
def test_nonsense_on_the_channel_ends_the_worker_not_the_server(python: RunPython, bytes: bytes) -> None:
    with pytest.raises(CellFailed, match="process"):
        python(_CHANNEL.format(bytes=bytes))


def test_a_cell_cannot_hand_in_files_of_others(python: RunPython, tmp_path: Path) -> None:
    """The server reads what a worker announces: neither a path nor a link may lead it elsewhere."""
    send = "import gc\nout = next(o for o in gc.get_objects() if type(o).__name__ == 'Requests')\n"
    for announced in ("'../../meta.db'", "'/etc/passwd'"):
        with pytest.raises(CellFailed, match="outside the cell's folder"):
            python(f"{send}out.say({{'t': 'table', 'name': 'x', 'file': {announced}, 'index_of': None}})")
    link = f"import os\nos.symlink({str(python.store.layout.database)!r}, 'x.arrow')\n"
    with pytest.raises(Exception, match="cannot be read"):
        python(f"{send}{link}out.say({{'t': 'table', 'name': 'x', 'file': 'x.arrow', 'index_of': None}})")
    lie = "import pyarrow as pa\nout.keep_table('x', pa.table({'a': [1], 'r': pa.array([99])}), 'parts@1')"
    with pytest.raises(Exception, match="has not asked for parts"):
        python(send + lie)
    with pytest.raises(Exception, match="does not have"):
        python(f"ws['parts'].to_pandas()\n{send}{lie}")


def test_no_worker_outlives_the_pool(python: RunPython) -> None:
    pool = Pool(python.store.layout.temporary / "apart", Limits(3 << 30), kept=1)
    pool.warm_up()
    python("1", pool=pool)
    pool.close()
    assert _processes_in(python.store.layout.temporary / "apart", are_idle_allowed=False) == []


def _processes_in(folder: Path, *, are_idle_allowed: bool = True) -> list[int]:
    """Processes at work in a folder five seconds from now; warm workers of this process's pool wait there, too."""
    until = time.monotonic() + 5  # the killed take a moment to go, those that start another to say what they are
    while (found := _working_in(folder, are_idle_allowed)) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def _working_in(folder: Path, are_idle_allowed: bool) -> list[int]:
    found = []
    for process in psutil.process_iter(["pid", "ppid", "cwd", "cmdline"]):
        is_worker = "whence.notebook.workers.inside.main" in " ".join(process.info["cmdline"] or [])
        is_idle = is_worker and process.info["ppid"] == os.getpid()
        if (process.info["cwd"] or "").startswith(str(folder)) and not (is_idle and are_idle_allowed):
            found.append(process.pid)
    return found


def test_without_landlock_limits_stand_and_it_is_said(python: RunPython, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel without Landlock is played by asking for its version 0."""
    send = Channel.send

    def without(self: Channel, message: Message, descriptors: Sequence[int] = ()) -> None:
        send(self, message | ({"abi": 0} if message["t"] == "start" else {}), descriptors)

    monkeypatch.setattr(Channel, "send", without)
    pool = Pool(python.store.layout.temporary, Limits(3 << 30), kept=0)
    try:
        assert "has no Landlock" in pool.level().describe()
        assert (
            _printed(python("try:\n    b'x' * (3 << 30)\nexcept MemoryError:\n    print('limited')", pool=pool))
            == "limited\n"
        )
    finally:
        pool.close()
