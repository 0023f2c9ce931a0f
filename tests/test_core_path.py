"""The marks of the core path."""

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from seqviz.core_path import mark, minutes


def cell(make, source, *tags):
    return make(source, metadata={"tags": [*tags]})


def test_each_core_cell_of_text_says_what_time_it_is():
    picture = new_output("display_data", data={"image/png": "", "text/plain": "a view"})
    notebook = new_notebook(
        cells=[
            cell(new_markdown_cell, "# Title\n\n" + "word " * 128, "core"),
            cell(new_code_cell, "a\n" * 12, "core"),
            cell(new_code_cell, "sv.ask(", "core"),
            cell(new_code_cell, "not_core = 1"),
            cell(new_markdown_cell, "Beside the path."),
            cell(new_markdown_cell, "Last: 9 minutes in class.", "core"),
        ]
    )
    notebook.cells[1].outputs = [picture]
    first, last = notebook.cells[0].source, "Last: 7 minutes in class."
    for _ in range(2):  # a second time changes nothing
        mark(notebook)
        title = "# Title\n\n<small>◆ core, minute 0 of 7, with the 2 cells below</small>"
        told = [each.source for each in notebook.cells]
        assert told[0] == first.strip().replace("# Title", title)
        assert told[3:] == [
            "not_core = 1",
            "Beside the path.",
            f"<small>◆ core, minute 7 of 7</small>\n\n{last}",
        ]
        assert [each.metadata.get("minutes") for each in notebook.cells] == [
            1,
            3,
            3,
            None,
            None,
            0,
        ]
    notebook.cells[5].metadata.tags = []
    mark(notebook)
    assert notebook.cells[5].source == last


def test_what_a_cell_costs():
    text = "<small>◆ core, minute 1 of 5</small>\n\n" + "word " * 130
    assert minutes(new_markdown_cell(text + "<details>folded away</details>")) == 1
    assert minutes(new_code_cell("a = 1\n\n" * 12)) == 1
    picture = new_output("display_data", data={"image/png": "", "text/plain": "a view"})
    assert minutes(new_code_cell("a\n" * 6, outputs=[picture])) == 2.5
    html = new_output("display_data", data={"text/html": "", "image/png": ""})
    assert minutes(new_code_cell("sv.ask(\n" * 12, outputs=[html])) == 3
