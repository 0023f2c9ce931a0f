"""Submissions that want points, secrets or harm instead of answers: none gets any."""

import socket
import time
from pathlib import Path

import nbformat
import psutil
import pytest

pytest.importorskip("nbgrader")

from seqviz.grading.classes import grade
from seqviz.grading.collecting import collect
from seqviz.grading.sandbox import Limits, can_wrap
from tests.grading.toy import cell, released, solved, source, v4

SECRET = "the-secret-of-the-lecturer"
LIMITS = Limits(seconds=41.5, cell_seconds=6)  # the seconds tell its processes from others
ALWAYS = """class Always(float):
    def __eq__(self, other): return True
    def __rsub__(self, other): return 0.0
    def __hash__(self): return 1
import torch
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *_, **__): return True"""
PATCHES = """import builtins, math, sys, threading, torch, types
fake = types.ModuleType("seqviz")
fake.checks = types.SimpleNamespace(agree=lambda *_: None)
sys.modules["seqviz"] = sv = fake
math.isclose = torch.allclose = torch.isclose = lambda *_, **__: True
builtins.AssertionError = type("Quiet", (Exception,), {})
def check(*_): pass
same = check
threading.Thread(target=lambda: globals().update(check=check), daemon=True).start()"""
HOOKS = """def double(x): return Always(2.5)
half = double
ip = get_ipython()
ip.input_transformers_post.append(lambda lines: ["pass\\n"])
ip.run_code = lambda *_, **__: False"""
SEARCH = """import gc, glob, os, socket
print(os.environ, globals().get("In"))
try: print("met " * 2, socket.create_connection(("127.0.0.1", PORT), 1))
except OSError: pass
for one in gc.get_objects():
    texts = [v for v in one.values() if isinstance(v, str)] if type(one) is dict else []
    print(*(text for text in texts if "HIDDEN" in text))
for place in (COURSE, OUTSIDE, os.getcwd(), os.path.expanduser("~")):
    for path in glob.glob(place + "/**/*toy*.ipynb", recursive=True)[:9]:
        print(open(path).read())
print("searched")"""
FRAMES = """import gc, sys
frame, found = sys._getframe(), []
while frame:
    found += [v for k, v in {**frame.f_globals, **frame.f_locals}.items() if k == "y"]
    frame = frame.f_back
ours = [one for one in gc.get_objects() if getattr(one, "__name__", "") in ("reference", "check")]
return found[0] if found else Always(2.5)"""
FORGED = """import os, struct, sys
reply = b'["gave"]'
for fd in range(3, 64):
    try: os.write(fd, struct.pack(">Q", len(reply)) + reply)
    except OSError: pass
return 0"""
DAEMON = """import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(300)
    os._exit(0)
os.wait()
return 0"""
KILL = """import os, signal
for name in ("executed.ipynb", "../executed.ipynb"):
    open(name, "w").write("{}") if os.access(os.path.dirname(name) or ".", os.W_OK) else None
os.kill(os.getppid(), signal.SIGKILL)
return 0"""
FORKS = """import os, time
for _ in range(300):
    if os.fork() == 0:
        time.sleep(300)
        os._exit(0)
time.sleep(3)
return 0"""
DISK = """for k in range(300):
    open(f"{k}", "wb").write(bytes(2**20))
import time
time.sleep(2)
return 0"""
MEMORY = """import os, time
for _ in range(4):
    if os.fork() == 0:
        big = bytearray(2**30)
        time.sleep(300)
time.sleep(12)
return 0"""
LOUD = 'raise ValueError("y" * 2 * 10**8)'
LINK = """import os
for name in ("submission.ipynb", "executed.ipynb"):
    os.path.lexists(name) or os.symlink("/etc/passwd", name)
return torch.zeros(1, dtype=torch.float16)"""
POLLUTED = r"""import os, threading, time
class TooLong(Exception): pass
print("\ud800")
for path in ("/mine", "/proc/sys/kernel/core_pattern", "/dev/shm/mine"):
    try: open(path, "a").close()
    except OSError: continue
    print("BEGIN HIDDEN: room beside the folder")
def churn():
    while True:
        for k in range(50): open(f"c{k}", "w").close()
        for k in range(50): os.unlink(f"c{k}")
for _ in range(2): threading.Thread(target=churn, daemon=True).start()
time.sleep(1)
raise TooLong("\x1b[31m\nzoe: 0 of 5 \ud800")"""
UNNAMED = """import os, time
for k in range(3000):
    os.mkdir("d"), os.chdir("d")
kept = [os.memfd_create("x") for _ in range(9)]
for one in kept: os.write(one, bytes(2**24))
time.sleep(3)
return 2 * x"""
ATTACKS = {  # cells before the answers, the body of double, what the lecturer reads
    "searching": ((ALWAYS, SEARCH), FRAMES, ""),
    "patches": ((ALWAYS, PATCHES), "return Always(2.5)", ""),
    "hooks": ((ALWAYS, HOOKS), "return 0", ""),
    "forged": ((), FORGED, "not answer as our program does"),
    "daemon": ((), DAEMON, ""),
    "killer": ((), KILL, ""),
    "forks": ((), FORKS, "more than 16 processes"),
    "disk": ((), DISK, "wrote more than"),
    "memory": ((), MEMORY, "GB of memory"),
    "loud": ((), LOUD, ""),
    "links": (("import torch",), LINK, ""),
    "polluted": ((POLLUTED,), FORKS, "more than 16 processes"),
    "unnamed": ((), UNNAMED, ""),
}

OPEN = ("searching", "daemon", "killer", "forks", "disk", "memory")  # what walls would stop as well
WALLED = [name for name in ATTACKS if name != "forks"]  # "polluted" forks too


@pytest.fixture(scope="module", params=["walls", "no walls"])
def graded(request, tmp_path_factory):
    """Each attack through the whole grader, and an honest student after them all."""
    course, copy = released(tmp_path_factory.mktemp("course"))
    secret = source()
    test = cell(secret, "double-test")
    test.source = test.source.replace("### END", f"check(double, 1, 2)  # {SECRET}\n### END")
    nbformat.write(secret, course.source("A9"))
    inbox = tmp_path_factory.mktemp("inbox")
    tried = WALLED if request.param == "walls" else OPEN
    server = socket.create_server(("127.0.0.1", 0))
    known = str(course.root), str(course.root.parent), server.getsockname()[1]
    for name in tried:
        cells, body, _ = ATTACKS[name]
        notebook = solved(copy, body, half="return y" if name == "searching" else "return object")
        own = f"COURSE, OUTSIDE, PORT = {known}", *cells
        notebook.cells[1:1] = map(v4.new_code_cell, own)
        nbformat.write(notebook, inbox / f"{name}.ipynb")
    nbformat.write(solved(copy), inbox / "zoe.ipynb")
    collect(course, "A9", inbox)
    with server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LECTURER_TOKEN", SECRET)
        patch.chdir(course.root.parent)  # where a lecturer works is no student's to see
        can_wrap.cache_clear()
        if request.param == "no walls":
            patch.setenv("PATH", str(tmp_path_factory.mktemp("nothing")))
        elif not can_wrap():
            pytest.skip("bubblewrap is not there or may not work")
        found = {one.student: one for one in grade(course, "A9", LIMITS, 2)}
    can_wrap.cache_clear()
    return request.param, course, found, tried


def test_no_attack_wins_a_point_and_nobody_else_loses_one(graded):
    _, _, found, tried = graded
    expected = dict.fromkeys(tried, 0) | {"zoe": 5}
    assert {name: one.points for name, one in found.items()} == expected


def test_what_patches_and_hooks_change_is_still_judged(graded):
    _, course, _, tried = graded
    for name in {"patches", "hooks"} & set(tried):
        run = nbformat.read(course.notebook("executed", "A9", name), as_version=4)
        assert [one.ename for one in cell(run, "double-test").outputs] == ["AssertionError"]


def test_what_went_wrong_is_told(graded):
    walls, _, found, tried = graded
    for name in tried:
        notes = "; ".join(found[name].notes)
        assert ATTACKS[name][2] in notes, name
        assert walls != "walls" or "examiner" not in notes, name
        assert "\n" not in notes, name


def test_no_secret_is_read(graded):
    walls, course, found, _ = graded
    for name in found:
        run = nbformat.read(course.notebook("executed", "A9", name), as_version=4)
        own = [one for one in run.cells if not one.metadata.get("nbgrader", {}).get("locked")]
        told = "\n".join(str(one.get("outputs", "")) for one in own)
        assert "LECTURER_TOKEN" not in told
        assert ("environ(" in told and "searched" in told) == (name == "searching")
        # without walls the same search finds the hidden tests, as the warning says
        open_to_all = name == "searching" and walls == "no walls"
        assert (SECRET in told) == open_to_all
        assert ("met met" in told) == open_to_all
        assert walls != "walls" or "BEGIN HIDDEN" not in told


def test_no_process_is_left(graded):
    time.sleep(0.5)
    left = [
        one.info["cmdline"]
        for one in psutil.process_iter(["cmdline"])
        if any('"seconds": 41.5' in word for word in one.info["cmdline"] or ())
    ]
    assert left == []


def test_a_grader_that_must_be_isolated_refuses_without_walls(monkeypatch, tmp_path):
    from seqviz.command import main

    monkeypatch.setenv("PATH", str(tmp_path))
    can_wrap.cache_clear()
    with pytest.raises(SystemExit) as stopped:
        main(["grade", "A9", "--isolated", "--course", str(tmp_path)])
    can_wrap.cache_clear()
    assert "bubblewrap is not there" in str(stopped.value)


def test_the_readme_tells_the_limits():
    most = Limits()
    told = f"{most.processes} processes, {most.disk // 2**20} MB in {most.files:,} files"
    readme = Path(__file__).parents[2] / "README.md"
    assert told in " ".join(readme.read_text(encoding="utf-8").split())
