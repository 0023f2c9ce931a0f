"""The marks of the core path."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from seqviz.core_path import mark, minutes


def cell(make, source, minutes=None):
    return make(source, metadata={} if minutes is None else {"tags": ["core"], "minutes": minutes})


def test_each_core_cell_of_text_says_what_time_it_is():
    notebook = new_notebook(
        cells=[
            cell(new_markdown_cell, "# Title\n\nFirst.", 1),
            cell(new_code_cell, "a = 1", 2.5),
            cell(new_code_cell, "b = 1", 0.5),
            cell(new_code_cell, "not_core = 1"),
            cell(new_markdown_cell, "Beside the path."),
            cell(new_markdown_cell, "Last.", 3),
        ]
    )
    for _ in range(2):  # a second time changes nothing
        mark(notebook)
        assert [each.source for each in notebook.cells] == [
            "# Title\n\n<small>◆ core, minute 0 of 7, with the 2 cells below</small>\n\nFirst.",
            "a = 1",
            "b = 1",
            "not_core = 1",
            "Beside the path.",
            "<small>◆ core, minute 4 of 7</small>\n\nLast.",
        ]
    notebook.cells[5].metadata.tags = []
    mark(notebook)
    assert notebook.cells[5].source == "Last."


def test_what_a_cell_costs():
    text = "<small>◆ core, minute 1 of 5</small>\n\n" + "word " * 130
    assert minutes(new_markdown_cell(text + "<details>folded away</details>")) == 1
    assert minutes(new_code_cell("a = 1\n\n" * 12)) == 1
    picture = new_output("display_data", data={"image/png": "", "text/plain": "a view"})
    assert minutes(new_code_cell("a\n" * 6, outputs=[picture])) == 2
    html = new_output("display_data", data={"text/html": "", "image/png": ""})
    assert minutes(new_code_cell("sv.ask(\n" * 12, outputs=[html])) == 1.5
