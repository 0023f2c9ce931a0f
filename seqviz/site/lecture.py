"""One notebook as one page."""

import re

from jinja2 import FileSystemLoader, pass_context
from markupsafe import Markup
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from seqviz.core_path import ASKS
from seqviz.execution import PLOTLY, Run
from seqviz.site import frame, outputs
from seqviz.site.frame import Place
from seqviz.site.front import about
from seqviz.site.markdown import Renderer, rendered
from seqviz.views.shared.answering import put

# As it does where they are loaded: views that stand above them have waited.
CAME = "document.dispatchEvent(new Event('seqviz-blocks'))"
DRAW_PLOTLY = """for (const host of document.querySelectorAll('.plotly-figure')) {
  const figure = JSON.parse(host.querySelector('script').textContent);
  Plotly.newPlot(host, figure.data, figure.layout, {responsive: true, displaylogo: false});
}"""


class Exporter(HTMLExporter):
    """nbconvert's lab page without its scripts from the network."""

    def __init__(self) -> None:
        super().__init__(
            template_file="lecture.html.j2",
            extra_loaders=[FileSystemLoader(frame.FOLDER)],
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


def page(run: Run, place: Place = Place()) -> str:  # noqa: B008
    """Return one notebook as a page; a page that stands alone needs no file beside it.

    Parameters
    ----------
    run : Run
        An executed notebook, with the pictures that :mod:`seqviz.publishing` adds.
    place : Place
        Where it stands among the others.

    Raises
    ------
    ValueError
        If the notebook has no title, or never ran; if an output is of an unknown kind, or a formula
        has a command that MathML output does not know; names the notebook, and the cell.
    """
    outputs.checked(run)
    for index, cell in enumerate(run.notebook.cells):
        if cell.cell_type == "markdown":
            try:
                rendered(cell.source, [], cell.get("attachments", {}))
            except ValueError as problem:
                raise ValueError(f"{run.place(index)}: {problem}") from problem
    notebook, exporter = outputs.live(run.notebook), Exporter()
    try:
        title, line = about(run.notebook)
        notebook.metadata.title = title
        resources = {
            "metadata": {"name": run.path.stem, "path": str(run.path.parent)},
            "frame": frame.common(),
            "place": place,
            "about": line,
            "asks": ASKS,
        }
        text, _ = exporter.from_notebook_node(notebook, resources)
    except ValueError as problem:
        raise ValueError(f"{run.path.name}: {problem}") from problem
    text = re.sub(r'(<div class="jp-[^>]*?) tabindex="0"', r"\1", text)  # only controls take Tab
    text = re.sub(r'<span class="[nw]">([^<]*)</span>', r"\1", text)  # no style of their own
    text = text.replace("<!-- contents -->", _contents(exporter.headings), 1)
    head, end, tail = text.rpartition("</body>")
    return head + _models(run, place) + _figures(run, place) + end + tail


def _models(run: Run, place: Place) -> str:
    """Of a page that stands alone the numbers that else lie beside it; models share some."""
    if not (place.alone and run.beside):
        return ""
    texts = {name: text for file in run.beside.values() for name, text in file.items()}
    return f"<script>{put(texts)}</script><script>{CAME}</script>"


def _figures(run: Run, place: Place) -> str:
    if not any(PLOTLY in output.data for _, output in run.outputs()):
        return ""
    beside = f'<script src="{place.shared}/plotly.js"></script>'
    library = f"<script>{frame.plotly()}</script>" if place.alone else beside
    return f"{library}<script>{DRAW_PLOTLY}</script>"


def _contents(headings: list[tuple[int, str, str]]) -> Markup:
    kind = {2: "section", 3: "idea"}
    lines = [
        f'<li class="{kind[level]}"><a href="#{name}">{text}</a></li>'
        for level, name, text in headings
        if level in kind
    ]
    return Markup(f"<ol>{''.join(lines)}</ol>")
