"""The notebook contract. Each rule yields (cell index, what is wrong); a failure names both."""

import ast
import copy
import re
from functools import cache

import nbformat
import pytest

from seqviz import core_path
from tests.notebooks.executed import LECTURES, NOTEBOOKS

SECTIONS = [
    "What you will build",
    "See it",
    "Build",
    "Check",
    "Train",
    "Look inside",
    "Check the slide",
    "Try it",
    "Recap",
    "Sources",
]
NETWORK = re.compile(r"https?://|urllib|urlopen|requests\.|wget|curl |pip install")
TAGS = {"small", "details", "summary", "img", "br", "sub", "sup", "kbd"}
WIDGET = "application/vnd.jupyter.widget-view+json"


def heading(cell, level):
    """The text of the cell's heading of this level, or None."""
    start = "#" * level + " "
    is_heading = cell.cell_type == "markdown" and cell.source.startswith(start)
    return cell.source.partition("\n")[0].removeprefix(start) if is_heading else None


def code_cells(notebook):
    return [(i, cell) for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"]


BESIDE = core_path.ASKS[1:]  # what is asked again, put in order or recalled: not counted


def tags(cell):
    return cell.metadata.get("tags", [])


def slide_type(cell):
    return cell.metadata.get("slideshow", {}).get("slide_type")


def sections(notebook):
    """Yield (index of the heading, title, cells below it)."""
    starts = [i for i, cell in enumerate(notebook.cells) if heading(cell, 2)]
    for start, end in zip(starts, [*starts[1:], len(notebook.cells)], strict=True):
        yield start, heading(notebook.cells[start], 2), notebook.cells[start + 1 : end]


def the_sections_stand_in_order(notebook):
    found = [title for _, title, _ in sections(notebook)]
    if found != SECTIONS:
        yield 0, f"has the sections {found}, wants {SECTIONS}"


def the_first_code_cell_sets_up(notebook):
    index, cell = code_cells(notebook)[0]
    lines = cell.source.strip().split("\n")
    if lines.count("import seqviz as sv") != 1 or lines[-1] != "sv.setup(seed=0)":
        yield index, "imports seqviz as sv once and ends with sv.setup(seed=0)"
    for other, later in code_cells(notebook)[1:]:
        if re.search(r"^(import seqviz|from seqviz)|sv\.setup\(", later.source, re.MULTILINE):
            yield other, "imports seqviz or sets up a second time"


def each_idea_opens_with_a_question(notebook):
    for start, title, cells in sections(notebook):
        waiting = None
        for index, cell in enumerate(cells, start + 1):
            if heading(cell, 3):
                waiting = heading(cell, 3)
            elif cell.cell_type == "code" and waiting:
                if title in ("Build", "Train") and not cell.source.startswith("sv.ask("):
                    yield index, f"is the first code of the idea {waiting!r}; sv.ask comes first"
                waiting = None


def a_question_hides_its_source(notebook):
    for index, cell in code_cells(notebook):
        hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
        if hidden != core_path.is_asking(cell):
            yield index, "hides its source, or is a question whose source shows the answer"


def questions(notebook):
    """Yield (index, options, right option, all its texts) of each question."""
    for index, cell in code_cells(notebook):
        if cell.source.startswith("sv.ask("):
            call = ast.parse(cell.source).body[0].value
            given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
            asked, options = map(ast.literal_eval, call.args)
            wrong = given.get("wrong", {})
            texts = [asked, *options, given["because"], *wrong, *wrong.values()]
            yield index, options, given["answer"], texts


def the_right_option_has_no_favourite_place(notebook):
    places = [options.index(answer) for _, options, answer, _ in questions(notebook)]
    for place in set(places):
        if len(places) >= 6 and places.count(place) > 0.6 * len(places):
            option = "ABCDE"[place]
            yield 0, f"has {option} right in {places.count(place)} of {len(places)} questions"


def questions_are_plain_text(notebook):
    for index, _, _, texts in questions(notebook):
        for text in texts:
            if found := re.search(r"\$|\*\w", re.sub(r"`[^`]*`", "", text)):
                yield index, f"has markup in a question, which shows as it is: {found[0]!r}"


def no_word_is_a_tag(notebook):
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            text = re.sub(
                r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", "", cell.source, flags=re.DOTALL
            )
            for tag in re.findall(r"<[^\s>][^>]*>", text):
                if tag.strip("</>").split()[0] not in TAGS:
                    yield index, f"has {tag}, which a browser takes for a tag: write `{tag}`"


def some_outputs_are_compared(notebook):
    if not any("nbval-check-output" in tags(cell) for cell in notebook.cells):
        yield 0, "has no cell tagged nbval-check-output: tag those whose text is deterministic"


def code_is_short(notebook):
    for index, cell in code_cells(notebook):
        lines = cell.source.split("\n")
        if len(lines) > 20 and not core_path.is_asking(cell):
            yield index, f"has {len(lines)} lines, at most 20"
        if max(map(len, lines)) > 88:
            yield index, f"has a line of {max(map(len, lines))} columns, at most 88"


def every_cell_has_a_slide_type(notebook):
    for index, cell in enumerate(notebook.cells):
        if slide_type(cell) not in ("slide", "subslide", "fragment", "skip", "notes", "-"):
            yield index, f"has the slide type {slide_type(cell)!r}"


def it_is_not_too_long(notebook):
    core = [cell for cell in notebook.cells if core_path.is_core(cell)]
    counted = {
        "cells": (sum(not cell.source.startswith(BESIDE) for cell in notebook.cells), 100),
        "words": (sum(map(core_path.words, notebook.cells)), 3000),
        "lines of code": (sum(map(core_path.lines, notebook.cells)), 700),
        "questions": (sum(map(core_path.is_question, notebook.cells)), 16),
        "questions of the core path": (sum(map(core_path.is_question, core)), 8),
        "minutes of the core path": (sum(map(core_path.minutes, core)), 50),
    }
    for what, (found, most) in counted.items():
        if found > most:
            yield 0, f"has {found:.0f} {what}, at most {most}"


def each_section_has_notes(notebook):
    for start, title, cells in sections(notebook):
        if title != "Sources" and not any(slide_type(cell) == "notes" for cell in cells):
            yield start, "opens a section without a notes cell for the lecturer"


def notes_are_folded(notebook):
    for index, cell in enumerate(notebook.cells):
        if slide_type(cell) == "notes" and not cell.source.startswith(
            "<details><summary>For the lecturer</summary>\n\n"
        ):
            yield index, "has a lecturer's note that stands open before the class"


def the_core_path_shows(notebook):
    marked = copy.deepcopy(notebook)
    core_path.mark(marked)
    above = None
    for index, (cell, wanted) in enumerate(zip(notebook.cells, marked.cells, strict=True)):
        if (cell.source, cell.metadata) != (wanted.source, wanted.metadata):
            yield index, "has not the mark of the core path: python -m seqviz.publishing marks"
        if slide_type(cell) == "notes":
            continue
        if cell.cell_type == "code" and core_path.is_core(cell) and not above:
            yield index, "is core code below a cell that is not: who walks the core misses it"
        above = core_path.is_core(cell)


def it_is_executed(notebook):
    for number, (index, cell) in enumerate(code_cells(notebook), start=1):
        if cell.execution_count != number:
            yield index, f"has execution count {cell.execution_count}, wants {number}"
        if "raises-exception" not in tags(cell):
            for output in cell.outputs:
                if output.output_type == "error":
                    yield index, f"holds the error {output.ename}"


def it_is_small(notebook):
    size = len(nbformat.writes(notebook).encode())
    if size >= 1_000_000:
        yield 0, f"has {size} bytes, less than 1 MB"


def there_is_no_widget_state(notebook):
    if "widgets" in notebook.metadata:
        yield 0, "stores widget state"
    for index, cell in code_cells(notebook):
        if any(WIDGET in output.get("data", {}) for output in cell.outputs):
            yield index, "has a widget-view output"


def every_picture_has_alternative_text(notebook):
    for index, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                if not output.metadata.get("image/png", {}).get("alt"):
                    yield index, "has a picture without alternative text"
            elif any(kind in output.get("data", {}) for kind in ("image/svg+xml", "image/jpeg")):
                yield index, "has a picture that is not a PNG"
        if cell.cell_type == "markdown":
            if re.search(r"!\[\s*\]\(", cell.source):
                yield index, "has an image without alternative text"
            for image in re.findall(r"<img[^>]*>", cell.source):
                if not re.search(r'alt="[^"]+"', image):
                    yield index, "has an <img> without alternative text"


def code_needs_no_network(notebook):
    for index, cell in code_cells(notebook):
        if found := NETWORK.search(cell.source):
            yield index, f"asks for the network: {found[0]!r}"


def is_view(node):
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("sv.view.")


def a_shown_view_is_driven_once(notebook):
    views = set()
    for index, cell in code_cells(notebook):
        body = ast.parse(re.sub(r"^[%!].*$", "", cell.source, flags=re.MULTILINE)).body
        assigned = [node for node in body if isinstance(node, ast.Assign)]
        views |= {ast.unparse(node.targets[0]) for node in assigned if is_view(node.value)}
        last = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
        if last is not None and is_view(last):
            yield index, "shows a view without a name: name it and set one of its controls"
        elif isinstance(last, ast.Name) and last.id in views:
            targets = [ast.unparse(node.targets[0]) for node in assigned]
            if not any(target.startswith(f"{last.id}.") for target in targets):
                yield index, f"shows {last.id} and sets none of its controls"


@cache
def lectures():
    assert LECTURES
    return {name: nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4) for name in LECTURES}


# ---- each rule, and a good notebook that is broken in one place


def good():
    core = {"slideshow": {"slide_type": "slide"}, "tags": ["core"], "minutes": 0.1}
    slide = {"slideshow": {"slide_type": "slide"}}
    notes = {"slideshow": {"slide_type": "notes"}}
    cells = []

    def text(source, metadata=slide):
        cells.append(nbformat.v4.new_markdown_cell(source, metadata=copy.deepcopy(metadata)))

    def code(source):
        cell = nbformat.v4.new_code_cell(source, metadata=copy.deepcopy(slide))
        cell.execution_count = sum(c.cell_type == "code" for c in cells) + 1
        cells.append(cell)

    for title in SECTIONS:
        text(f"## {title}", core)
        if title == "What you will build":
            code("import seqviz as sv\n\nsv.setup(seed=0)")
        if title == "Build":
            text("### An idea")
            code("sv.ask('?', ['a', 'b'], answer='a', because='it is')")
            cells[-1].metadata.update(jupyter={"source_hidden": True}, tags=["nbval-check-output"])
            code("view = sv.view.unroll(weights, 'helo', 'hello')\nview.step = 2\nview")
            data = {"image/png": "", "text/plain": "a net"}
            metadata = {"image/png": {"alt": "a net"}}
            cells[-1].outputs = [
                nbformat.v4.new_output("display_data", data=data, metadata=metadata)
            ]
        text("<details><summary>For the lecturer</summary>\n\nAsk.\n\n</details>", notes)
    notebook = nbformat.v4.new_notebook(cells=cells)
    core_path.mark(notebook)
    return notebook


def cell_with(notebook, start):
    return next(cell for cell in notebook.cells if cell.source.startswith(start))


def replace(start, new):
    return lambda notebook: cell_with(notebook, start).update(source=new)


def without(start):
    def remove(notebook):
        notebook.cells.remove(cell_with(notebook, start))

    return remove


def changed(start, change):
    return lambda notebook: change(cell_with(notebook, start))


BREAKS = [
    (the_sections_stand_in_order, without("## Check")),
    (the_first_code_cell_sets_up, replace("import seqviz", "import seqviz as sv\nsv.setup()")),
    (each_idea_opens_with_a_question, without("sv.ask")),
    (a_question_hides_its_source, changed("sv.ask", lambda c: c.metadata.pop("jupyter"))),
    (
        the_right_option_has_no_favourite_place,
        lambda notebook: notebook.cells.extend([cell_with(notebook, "sv.ask")] * 6),
    ),
    (
        questions_are_plain_text,
        replace("sv.ask", "sv.ask('$x$?', ['a', 'b'], answer='a', because='it is')"),
    ),
    (no_word_is_a_tag, replace("### An", "### An idea\n\nwords: *a, <eos>*")),
    (some_outputs_are_compared, changed("sv.ask", lambda c: c.metadata.update(tags=[]))),
    (code_is_short, replace("view =", "\n" * 20)),
    (every_cell_has_a_slide_type, changed("## Check", lambda c: c.metadata.pop("slideshow"))),
    (the_core_path_shows, replace("### An", "### An idea\n\n50 minutes in class")),
    (it_is_not_too_long, replace("view =", "a\n" * 701)),
    (each_section_has_notes, without("<details>")),
    (notes_are_folded, replace("<details>", "**Lecturer.** Ask.")),
    (the_core_path_shows, replace("## Check", "## Check")),
    (the_core_path_shows, changed("## Check", lambda c: c.metadata.update(minutes=2))),
    (the_core_path_shows, changed("view =", lambda c: c.metadata.update(tags=["core"]))),
    (it_is_executed, changed("view =", lambda c: c.update(execution_count=None))),
    (
        it_is_small,
        changed("view =", lambda c: c.outputs[0].data.update({"text/plain": "x" * 10**6})),
    ),
    (there_is_no_widget_state, lambda notebook: notebook.metadata.update(widgets={})),
    (
        every_picture_has_alternative_text,
        changed("view =", lambda c: c.outputs[0].metadata.clear()),
    ),
    (every_picture_has_alternative_text, replace("### An", "![](a.png)")),
    (code_needs_no_network, replace("view =", "from urllib import request")),
    (a_shown_view_is_driven_once, replace("view =", "view = sv.view.text(tokens)\nview")),
]


RULES = [*dict.fromkeys(rule for rule, _ in BREAKS)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_contract(rule):
    wrong = [
        f"{name}.ipynb, cell {index + 1} {problem}"
        for name, notebook in lectures().items()
        for index, problem in rule(notebook)
    ]
    assert not wrong, "\n" + "\n".join(wrong)
    assert [*rule(good())] == []


def test_each_rule_finds_a_notebook_that_breaks_it():
    for rule, break_it in BREAKS:
        notebook = good()
        break_it(notebook)
        assert [*rule(notebook)], f"{rule.__name__} passes break {BREAKS.index((rule, break_it))}"
