"""Offline pages: every notebook as one HTML file, its views alive without kernel and network."""

import html
import json
import re
from collections.abc import Sequence
from copy import deepcopy
from importlib.metadata import distribution
from pathlib import Path

from jinja2 import DictLoader, pass_context
from latex2mathml.converter import convert
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from plotly.offline import get_plotlyjs

from seqviz.execution import PAGE, PLOTLY, Run
from seqviz.view.shared.page import POLICY

HERE = Path(__file__).parent
TEMPLATE = "site.html.j2"

THEME_SCRIPT = """{
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => { document.body.dataset.jpThemeLight = !dark.matches; };
  dark.addEventListener('change', follow); follow();
}"""

DRAW_PLOTLY = """for (const host of document.querySelectorAll('.plotly-figure')) {
  const figure = JSON.parse(host.querySelector('script').textContent);
  Plotly.newPlot(host, figure.data, figure.layout, {responsive: true, displaylogo: false});
}"""

THIRD_PARTY = (
    ("plotly.js", "plotly", "draws the figures; MIT licence"),
    ("JupyterLab's style sheets", "jupyterlab", "the look of the pages; BSD 3-clause licence"),
    ("nbconvert's lab template", "nbconvert", "the frame of the pages; BSD 3-clause licence"),
)


class Renderer(IPythonRenderer):
    """Markdown to HTML with formulas as MathML, noting the headings on the way."""

    def __init__(self, headings: list, **options) -> None:
        super().__init__(**options)
        self.headings = headings

    def heading(self, text: str, level: int, **attributes) -> str:
        """Keep (level, id, text) for the table of contents."""
        drawn = super().heading(text, level, **attributes)
        self.headings.append((level, re.search(r'id="([^"]*)"', drawn)[1], text))
        return drawn

    def inline_math(self, body: str) -> str:
        """Render a formula in the line."""
        return mathml(body, "inline")

    def block_html(self, html: str) -> str:
        """Leave an open tag open: nbconvert would close <details> before what it folds away."""
        return html if "<img" not in html else super().block_html(html)

    def block_math(self, body: str) -> str:
        """Render a formula of its own."""
        return mathml(body, "block")

    def latex_environment(self, name: str, body: str) -> str:
        """Render an environment that stands without dollar signs."""
        return mathml(rf"\begin{{{name}}}{body}\end{{{name}}}", "block")


class Exporter(HTMLExporter):
    """nbconvert's lab page without its scripts from the network."""

    def __init__(self) -> None:
        sheet = {TEMPLATE: (HERE / TEMPLATE).read_text(encoding="utf-8")}
        super().__init__(
            template_file=TEMPLATE,
            extra_loaders=[DictLoader(sheet)],
            embed_images=True,
            exclude_input_prompt=True,
            exclude_output_prompt=True,
        )
        self.headings: list[tuple[int, str, str]] = []

    @pass_context
    def markdown2html(self, context, source: str) -> str:
        """Render one markdown cell."""
        renderer = Renderer(
            self.headings,
            escape=False,
            attachments=context.get("cell", {}).get("attachments", {}),
            embed_images=True,
            path=context.get("resources", {}).get("metadata", {}).get("path", ""),
        )
        return MarkdownWithMath(renderer=renderer).render(source)


def build(runs: Sequence[Run], folder: Path) -> None:
    """Write a page for each run, the index and the licences of what the pages hold.

    Parameters
    ----------
    runs : sequence of Run
        Executed notebooks, with the pictures that :mod:`seqviz.publishing` adds.
    folder : Path
        Where the files go; made if it is not there.

    Raises
    ------
    ValueError
        If a notebook has no title, or a formula has a command that MathML output does not know;
        names the notebook.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        (folder / f"{run.path.stem}.html").write_text(page(run), encoding="utf-8")
    (folder / "index.html").write_text(index(runs), encoding="utf-8")
    (folder / "LICENSES.txt").write_text(licences(), encoding="utf-8")


def page(run: Run) -> str:
    """Return one notebook as a complete offline page."""
    notebook = _with_live_outputs(run.notebook)
    exporter = Exporter()
    resources = {
        "metadata": {"name": run.path.stem, "path": str(run.path.parent)},
        "dark": _lab_style("theme-dark.css"),
        "style": (HERE / "site.css").read_text(encoding="utf-8"),
        "theme_script": THEME_SCRIPT,
        "policy": POLICY,
    }
    try:
        notebook.metadata.title = about(run.notebook)[0]
        text, _ = exporter.from_notebook_node(notebook, resources)
    except ValueError as problem:
        raise ValueError(f"{run.path.name}: {problem}") from problem
    text = re.sub(r'(<div class="jp-[^>]*?) tabindex="0"', r"\1", text)  # only controls take Tab
    text = text.replace("<!-- contents -->", _contents(exporter.headings), 1)
    if any(PLOTLY in output.data for _, output in run.outputs()):
        library = get_plotlyjs().replace("</script", r"<\/script")
        scripts = f"<script>{library}</script><script>{DRAW_PLOTLY}</script>"
        head, end, tail = text.rpartition("</body>")
        text = head + scripts + end + tail
    return text


def index(runs: Sequence[Run]) -> str:
    """Return the page that leads to the others: title, one line, minutes and picture of each."""
    cards = []
    for run in runs:
        title, line = about(run.notebook)
        pictures = [o for _, o in run.outputs() if "image/png" in o.data]
        image = image_element(pictures[0]) if pictures else ""
        minutes = sum(cell.metadata.get("minutes", 0) for cell in run.notebook.cells)
        time = f'<p class="minutes">{minutes:.0f} minutes in class</p>' if minutes else ""
        cards.append(
            f'<li class="card">{image}<div><h2><a href="{run.path.stem}.html">{html.escape(title)}'
            f"</a></h2><p>{html.escape(line)}</p>{time}</div></li>"
        )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{POLICY}'
        '<meta name="viewport" content="width=device-width"><title>seqviz</title>'
        f"<style>{_lab_style('theme-light.css')}</style>"
        f'<style media="(prefers-color-scheme: dark)">{_lab_style("theme-dark.css")}</style>'
        f"<style>{(HERE / 'site.css').read_text(encoding='utf-8')}</style></head>\n"
        '<body class="index"><main><h1>seqviz</h1><p>Sequence models, built in the open: '
        "each page works without a network, and its pictures answer to mouse and keyboard.</p>"
        f'<ul class="cards">{"".join(cards)}</ul><p class="minutes">'
        '<a href="LICENSES.txt">Licences</a></p></main></body></html>\n'
    )


def licences() -> str:
    """Return the notices of what the pages hold, from the installed packages."""
    parts = ["The pages in this folder hold parts of the following works.\n"]
    for name, package, role in THIRD_PARTY:
        files = distribution(package).files or []
        texts = [f.read_text(encoding="utf-8") for f in files if f.stem.upper() == "LICENSE"]
        parts.append(f"{'=' * 72}\n{name}: {role}\n{'=' * 72}\n\n" + "\n".join(texts))
    return "\n".join(parts)


def about(notebook: NotebookNode) -> tuple[str, str]:
    """Return a notebook's title and the first line of prose under it, as plain text."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    if title is None:
        raise ValueError("the notebook has no title: start it with a markdown cell '# Title'")
    prose = re.search(r"^(?![#\s!<|$>-])(?:.+\n?)+", text[title.end() :], re.MULTILINE)
    return _plain(title[1]), _plain(prose[0]) if prose else ""


def mathml(formula: str, display: str) -> str:
    """Return a formula as MathML; `display` is "inline" or "block".

    Raises
    ------
    ValueError
        If it has something that the converter does not know.
    """
    source = re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{align*}", formula)
    try:
        drawn = convert(source, display=display)
    except Exception as problem:
        raise ValueError(f"the formula {formula!r} is not understood: {problem!r}") from problem
    if unknown := re.search(r"\\[A-Za-z]+|<mi>&(?:amp;)?</mi>", drawn):
        raise ValueError(f"the formula {formula!r} has {unknown[0]}, which MathML output lacks")
    drawn = re.sub(r' xmlns="[^"]*"', "", drawn)  # nbconvert makes a prefix of it in a heading
    return re.sub(r"<mi>([A-Za-z])</mi>", r'<mi class="letter">\1</mi>', drawn)


def _plain(markdown: str) -> str:
    return " ".join(re.sub(r"[*`]|\]\([^)]*\)|\[", "", markdown).split())


def _with_live_outputs(notebook: NotebookNode) -> NotebookNode:
    live = deepcopy(notebook)
    for cell in live.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if PAGE in data:
                output.data = {"text/html": data[PAGE]["page"]}
            elif PLOTLY in data:
                output.data = {"text/html": figure_element(data[PLOTLY], data["text/plain"])}
            elif "image/png" in data:
                output.data = {"text/html": image_element(output)}
    return live


def figure_element(figure: dict, alt: str) -> str:
    """Return a plotly figure as an element that a script draws into."""
    safe = json.dumps(figure, ensure_ascii=False).replace("<", "\\u003c")
    alt = html.escape(alt)
    return (
        f'<div class="plotly-figure" role="img" aria-label="{alt}">'
        f"<noscript><p>{alt}</p></noscript>"
        f'<script type="application/json">{safe}</script></div>'
    )


def image_element(output: NotebookNode) -> str:
    """Return the picture of an output, with its alternative text."""
    alt = html.escape(output.metadata.get("image/png", {}).get("alt", ""))
    picture = html.escape(output.data["image/png"].replace("\n", ""))
    return f'<img alt="{alt}" src="data:image/png;base64,{picture}">'


def _contents(headings: list[tuple[int, str, str]]) -> str:
    kind = {2: "section", 3: "idea"}
    lines = [
        f'<li class="{kind[level]}"><a href="#{name}">{text}</a></li>'
        for level, name, text in headings
        if level in kind
    ]
    return f'<a href="index.html">← All notebooks</a><ol>{"".join(lines)}</ol>'


def _lab_style(name: str) -> str:
    for folder in HTMLExporter().template_paths:
        if (sheet := Path(folder) / "static" / name).is_file():
            return sheet.read_text(encoding="utf-8")
    raise FileNotFoundError(f"nbconvert's lab template has no {name}: reinstall nbconvert")
