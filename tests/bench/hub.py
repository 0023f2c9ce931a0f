"""How long does a class wait on a hub of one machine, and what does each student take?

`python -m tests.bench.hub` starts the hub of `.hub/` with 20 students, who open A1 at once and run
its cells up to the first exercise. It needs `jupyterhub` beside this Python, and
`configurable-http-proxy` on the PATH. `--students N` takes fewer.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import nbformat
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from seqviz.grading.copies import release
from seqviz.grading.course import Course

TOP = Path(__file__).parents[2]
TOKEN = uuid.uuid4().hex
LIMIT = 300  # seconds for one student
CONFIG = """
load_subconfig({config!r})
c.Spawner.args += ["--allow-root"]  # where the bench runs as root
c.JupyterHub.bind_url = {address!r}
c.JupyterHub.hub_port = {port}
c.ConfigurableHTTPProxy.api_url = {proxy!r}
c.JupyterHub.db_url = "sqlite:///hub.sqlite"
c.JupyterHub.cookie_secret_file = "cookie"
c.JupyterHub.services = [{{"name": "bench", "api_token": {token!r}}}]
c.JupyterHub.load_roles = [
    {{"name": "bench", "scopes": ["admin:users", "admin:servers", "tokens", "access:servers"],
     "services": ["bench"]}}
]
"""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


async def ask(address: str, method: str = "GET", token: str = TOKEN, **content):
    """A call of an interface, its answer read."""
    headers = {"Authorization": f"token {token}", "Content-Type": "application/json"}
    body = json.dumps(content) if method == "POST" else None
    request = HTTPRequest(address, method, headers, body, request_timeout=LIMIT)
    answer = await AsyncHTTPClient().fetch(request, raise_error=True)
    return json.loads(answer.body or b"null")


async def started(hub: str, name: str) -> str:
    """Log a student in, start the server; a token that opens it."""
    await ask(f"{hub}/hub/api/users/{name}", "POST")
    await ask(f"{hub}/hub/api/users/{name}/server", "POST")
    while not (await ask(f"{hub}/hub/api/users/{name}"))["server"]:
        await asyncio.sleep(0.3)
    return (await ask(f"{hub}/hub/api/users/{name}/tokens", "POST"))["token"]


async def run_cells(server: str, token: str, cells: list[str]) -> float:
    """Start a kernel and run cells; the seconds until the first one was done."""
    kernel = (await ask(f"{server}/api/kernels", "POST", token))["id"]
    address = f"{server.replace('http', 'ws', 1)}/api/kernels/{kernel}/channels"
    headers = {"Authorization": f"token {token}"}
    channel = await websocket_connect(HTTPRequest(address, headers=headers))
    first = 0.0
    for code in cells:
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3"}
        header |= {"username": "", "session": uuid.uuid4().hex}
        content = {"code": code, "silent": False, "allow_stdin": False}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        await channel.write_message(json.dumps({**message, "channel": "shell"}))
        while True:
            answer = json.loads(await channel.read_message())
            own = answer["parent_header"].get("msg_id") == header["msg_id"]
            if own and answer["msg_type"] == "execute_reply":
                if answer["content"]["status"] != "ok":
                    raise RuntimeError(answer["content"]["evalue"])
                first = first or time.monotonic()
                break
    return first


async def student(hub: str, name: str, cells: list[str]) -> float:
    """Seconds from the click on *Log in* to the output of the first cell."""
    start = time.monotonic()
    token = await started(hub, name)
    server = f"{hub}/user/{name}"
    await ask(f"{server}/api/contents/{notebook().name}", token=token)
    return await run_cells(server, token, cells) - start


def notebook() -> Path:
    """The source of A1."""
    return next((TOP / "notebooks" / "assignments" / "source" / "A1").glob("*.ipynb"))


def first_cells() -> list[str]:
    """The code before the first exercise."""
    cells = [c for c in nbformat.read(notebook(), as_version=4).cells if c.cell_type == "code"]
    marks = [cell.metadata.get("nbgrader", {}) for cell in cells]
    return [cell.source for cell in cells[: [bool(m.get("solution")) for m in marks].index(True)]]


def memory(root: int) -> dict[str, int]:
    """Bytes of all processes below one, its own share of what is shared, by the student's name."""
    parents, found = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(path.name)] = int((path / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    for process in parents:
        line = [process]
        while line[-1] in parents and line[-1] != root:
            line.append(parents[line[-1]])
        if root not in line:
            continue
        try:
            environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
            share = Path(f"/proc/{process}/smaps_rollup").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        name = next((e[16:] for e in environment if e.startswith(b"JUPYTERHUB_USER=")), b"hub")
        size = next(line for line in share.splitlines() if line.startswith("Pss:"))
        key = name.decode()
        found[key] = found.get(key, 0) + int(size.split()[1]) * 1024
    return found


async def measured(hub: str, count: int) -> list[float]:
    """All students at once."""
    while True:
        try:
            await ask(f"{hub}/hub/api/users")
            break
        except (OSError, HTTPClientError):  # the proxy comes before the hub
            await asyncio.sleep(0.5)
    AsyncHTTPClient.configure(None, max_clients=4 * count)
    cells = first_cells()
    return await asyncio.gather(*(student(hub, f"student{k}", cells) for k in range(count)))


def main() -> None:
    """Run the command line that the head of this file describes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=20)
    count = parser.parse_args().students
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        release(Course(place / "course"), "A1")
        address = f"http://127.0.0.1:{free_port()}"
        config = str(TOP / ".hub" / "jupyterhub_config.py")
        proxy = f"http://127.0.0.1:{free_port()}"
        told = CONFIG.format(
            config=config, address=address, port=free_port(), proxy=proxy, token=TOKEN
        )
        (place / "config.py").write_text(told, encoding="utf-8")
        bin_folder = str(Path(sys.executable).parent)
        own = {"SEQVIZ_HUB_PASSWORD": uuid.uuid4().hex}
        own["SEQVIZ_HUB_COURSE"], own["SEQVIZ_HUB_HOMES"] = (
            str(place / "course"),
            str(place / "homes"),
        )
        own["PATH"] = os.pathsep.join((bin_folder, os.environ["PATH"]))
        command = [sys.executable, "-m", "jupyterhub", "-f", "config.py"]
        with (place / "hub.log").open("w") as log:
            hub = subprocess.Popen(
                command,
                cwd=place,
                env={**os.environ, **own},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                seconds = sorted(asyncio.run(asyncio.wait_for(measured(address, count), LIMIT)))
                sizes = memory(hub.pid)
            except BaseException:
                print((place / "hub.log").read_text()[-3000:], file=sys.stderr)
                raise
            finally:
                os.killpg(hub.pid, signal.SIGTERM)
                hub.wait()
    own = [size for name, size in sizes.items() if name.startswith("student")]
    late = seconds[max(0, round(0.95 * len(seconds)) - 1)]
    print(f"{count} students on {os.cpu_count()} cores")
    print(f"first output: median {statistics.median(seconds):.1f} s, p95 {late:.1f} s")
    each, hubs = statistics.mean(own) / 2**20, sizes["hub"] / 2**20
    print(f"memory: {each:.0f} MB a student, hub {hubs:.0f} MB")


if __name__ == "__main__":
    main()
