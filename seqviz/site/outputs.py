"""What cells show, as elements of a page that needs no kernel."""

import base64
import html
import io
import json
from copy import deepcopy

from nbformat import NotebookNode
from PIL import Image

from seqviz.execution import PAGE, PLOTLY, Run

KNOWN = {PAGE, PLOTLY, "text/html", "text/plain", "image/png", "image/svg+xml"}
CARD = 640, 360  # pixels of a picture on the first page


def checked(run: Run) -> None:
    """Raise ValueError for a notebook that never ran, or an output that no page can show."""
    code = [cell for cell in run.notebook.cells if cell.cell_type == "code"]
    if code and not any(cell.outputs for cell in code):
        raise ValueError(f"{run.path.name} has no outputs: run its cells first")
    for index, output in run.outputs():
        if output.data and not KNOWN & {*output.data}:
            raise ValueError(
                f"{run.place(index)}: a page can show {', '.join(sorted(KNOWN))}, not "
                f"{', '.join(sorted(output.data))}"
            )
        if PLOTLY in output.data and not output.data.get("text/plain"):
            raise ValueError(f"{run.place(index)}: its figure has no text: run the cell again")
        if "image/png" in output.data:
            try:
                picture(output)
            except ValueError as problem:
                raise ValueError(f"{run.place(index)}: {problem}") from problem


def live(notebook: NotebookNode) -> NotebookNode:
    """Return a copy whose views and figures are elements of a page, pictures without scripts."""
    notebook = deepcopy(notebook)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if shown := element(output):
                alive = {PAGE, PLOTLY} & {*output.data} and "image/png" in output.data
                still = f"<noscript>{image_element(output)}</noscript>" if alive else ""
                output.data = {"text/html": still + shown}
    return notebook


def element(output: NotebookNode) -> str:
    """Return the view, figure or picture of an output as an element; "" if there is none."""
    data = output.get("data", {})
    if PAGE in data:
        return data[PAGE]["page"]
    if PLOTLY in data:
        return figure_element(data[PLOTLY], data["text/plain"])
    return image_element(output) if "image/png" in data else ""


def figure_element(figure: dict, alt: str) -> str:
    """Return a plotly figure as an element that a script draws into."""
    safe = json.dumps(figure, ensure_ascii=False).replace("<", "\\u003c")
    alt = html.escape(alt)
    return (
        f'<div class="plotly-figure" role="figure" aria-label="{alt}">'
        f"<noscript><p>{alt}</p></noscript>"
        f'<script type="application/json">{safe}</script></div>'
    )


def image_element(output: NotebookNode) -> str:
    """Return the picture of an output, with its alternative text."""
    return _image(output, "png", output.data["image/png"].replace("\n", ""))


def small_image_element(output: NotebookNode) -> str:
    """Return the upper part of the picture of an output, as large as a card shows it."""
    whole = picture(output)
    shown = whole.crop((0, 0, whole.width, min(whole.height, -(-whole.width * 9 // 16))))
    shown.thumbnail(CARD)
    packed = io.BytesIO()
    shown.save(packed, "WEBP", quality=80, method=6)
    return _image(output, "webp", base64.b64encode(packed.getvalue()).decode())


def picture(output: NotebookNode) -> Image.Image:
    """Return the picture of an output; raise ValueError if it is no PNG, or not all of one."""
    try:
        data = base64.b64decode(output.data["image/png"])
        return Image.open(io.BytesIO(data), formats=["PNG"]).convert("RGB")
    except (ValueError, TypeError, OSError, SyntaxError) as problem:  # as pillow's readers raise
        raise ValueError("its image/png is no PNG: run the cell again") from problem


def _image(output: NotebookNode, kind: str, data: str) -> str:
    alt = html.escape(output.metadata.get("image/png", {}).get("alt", ""))
    return f'<img alt="{alt}" src="data:image/{kind};base64,{html.escape(data)}">'
