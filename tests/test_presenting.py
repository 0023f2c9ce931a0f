"""From the cells of a notebook to the slides of a lecture."""

import re
from pathlib import Path

import nbformat
import pytest

from seqviz import command, core_path
from seqviz.asking import Question
from seqviz.execution import PAGE, PLOTLY, Run
from seqviz.presenting import deck, highlighting, prose
from seqviz.presenting.parts import Code, Shown, Text
from seqviz.presenting.slides import lecture
from tests.notebooks.executed import LECTURES, NOTEBOOKS

TOLD = ("01_rnn_hello", "04_lstm_gating", "08_seq2seq_attention", "11_transformer_heads")
ASKED = "sv.ask('Which `gate`?', ['f', 'i'], answer='f', because='it keeps', wrong={'i': 'no'})"


def text(source, minutes=1, **says):
    metadata = {"tags": ["core"], "minutes": minutes, **({"slide": says} if says else {})}
    return nbformat.v4.new_markdown_cell(source, metadata=metadata)


def code(source, prints="", minutes=1, data=None, **says):
    metadata = {"tags": ["core"], "minutes": minutes, **({"slide": says} if says else {})}
    outputs = [nbformat.v4.new_output("stream", name="stdout", text=prints)] if prints else []
    outputs += [nbformat.v4.new_output("display_data", data=data)] if data else []
    return nbformat.v4.new_code_cell(source, metadata=metadata, outputs=outputs)


def note(words):
    return nbformat.v4.new_markdown_cell(
        f"<details><summary>For the lecturer</summary>\n\n{words}\n\n</details>"
    )


def of(*cells):
    title = text("# 04 · gates: a memory\n\nIt **keeps**.", say="A memory **keeps**.")
    return lecture(nbformat.v4.new_notebook(cells=[title, *cells]))


def run(*cells):
    return Run(Path("04_gates.ipynb"), nbformat.v4.new_notebook(cells=list(cells)), 0, None)


def test_the_sentence_that_goes_large():
    for source, said in (
        ("First one. Then **the gate** opens. Last.", "Then **the gate** opens."),
        ("First one. No bold phrase.", "First one."),
        ("**Goal.** An LSTM by hand. More.", "An LSTM by hand."),
        ('A gate opens [deck 003, "LSTM: Forget Gate"]:\n\n$$f$$', "A gate opens."),
        ("$$f$$", ""),
    ):
        assert prose.said(prose.blocks(source)) == said
    for block in ("| a | b |\n|---|---|\n| 1 | 2 |", "1. one\n   line\n2. two", "- one\n- two"):
        pieces = prose.blocks(f"{block}\n\nA gate **opens**.\n\nIt shuts.")
        assert [piece.text for piece in pieces] == [block, "A gate **opens**.\n\nIt shuts."]
        assert prose.said(pieces) == "A gate **opens**."


def test_a_sentence_that_hangs_on_another_is_doubted():
    for sentence, word in (
        ("For these two, **opening the gate decides**.", "these"),
        ("They are **kept**.", "They"),
        ("So the order goes into the vectors.", "So"),
        ("At each word it says who spoke.", "it"),
        ("A matrix looks at the state, and a sigmoid makes a share of it.", None),
        ("Deck 004 shows a head for *it*.", None),
    ):
        assert prose.hangs(sentence) == word, sentence


def test_answers_folded_under_a_list_have_slides_of_their_own():
    folds = "".join(f"\n\n<details><summary>Why {k}?</summary>\n\nSo.\n</details>" for k in (1, 2))
    under = of(text(f"## Recap\n\n1. one\n2. two{folds}")).slides[1:]
    assert [slide.steps for slide in under] == [0, 1, 1]
    assert [slide.headlines for slide in under[1:]] == [("Question 1 of 2",), ("Question 2 of 2",)]
    assert under[2].content.answers == (("Why 2?", "So."),)
    assert [slide.minutes for slide in under] == [pytest.approx(1 / 3)] * 3
    beside = of(text(f"## Recap\n\nOne.{folds}")).slides[1:]
    assert [slide.steps for slide in beside] == [2]


def test_a_figure_without_a_headline_has_its_title():
    figure = {PLOTLY: {"data": [], "layout": {"title": {"text": "It falls"}}}, "text/plain": "a"}
    place = text("## Train\n\nA loss.")
    plain, named = code("x", data=figure), code("x", data=figure, headline="It stays")
    found = [of(place, cell).slides[2].headlines for cell in (plain, named)]
    assert found == [("It falls",), ("It stays",)]


def test_a_doubt_names_the_cell_and_what_is_said_by_hand_is_not_doubted():
    plain = "## Build\n\nThey are kept."
    assert [cell for cell, _ in of(text(plain)).doubts] == [1]
    assert not of(text(plain, say="They are kept.")).doubts
    _, doubts = deck.page(run(text("# A title\n\nGates."), text(plain)))
    assert len(doubts) == 1
    assert "04_gates.ipynb, cell 2" in doubts[0]
    assert "'They'" in doubts[0]


def test_a_cell_becomes_slides_of_one_kind_each():
    figure = {PLOTLY: {"data": [], "layout": {}}, "text/plain": "a line"}
    found = of(
        text("## Build\n\n### A gate\n\nA share.\n\n$$a \\qquad b$$"),
        code(ASKED, data={"text/html": "<b>answer</b>", "text/plain": "Predict"}),
        code("x = 1\nx", prints="x is 1\n 99%|###| 2/3\n", data=figure),
        code("import torch", minutes=0),
        text("### A heading alone", minutes=0),
        code("y = 2"),
        code("view", data={PAGE: {"page": "", "steps": 2}, "text/plain": "a machine"}),
    ).slides
    kinds = [type(slide.content) for slide in found]
    assert kinds == [Text, Text, Question, Code, Shown, Code, Shown]
    assert [slide.steps for slide in found] == [0, 0, 1, 0, 0, 0, 2]
    assert found[3].content.prints == "x is 1"
    assert found[4].content.alt == "a line"
    assert found[5].headlines == ("A heading alone",)
    assert [slide.name for slide in found[1:5]] == [
        "a-gate",
        "a-gate-question",
        "a-gate-code",
        "a-gate-view",
    ]


def test_minutes_pass_and_none_is_lost():
    found = of(text("## Build", minutes=0.5), code("x = 1", minutes=2), code("y = 2")).slides
    assert [(slide.at, slide.minutes) for slide in found] == [(0, 1), (1, 2.5), (3.5, 1)]


def test_long_code_is_folded_where_something_is_printed_and_nothing_is_in_focus():
    long = "\n".join(f"x_{k} = {k}" for k in range(13))
    for cell, folded in (
        (code(long, "1"), True),
        (code(long), False),
        (code("x = 1", "1"), False),
        (code(long, "1", focus=[[1, 2]]), False),
    ):
        assert of(cell).slides[1].content.folded == folded, cell


def test_a_note_stands_beside_what_it_follows():
    found = of(
        text("## Build\n\nFirst."),
        note("About the first."),
        note("More."),
        text("Second."),
        note("About the second."),
        text("### An idea\n\nThird."),
        text("## Check\n\nFourth."),
        text("## Try it"),
        note("About all of it."),
        text("### One\n\nFifth."),
        text("### Two\n\nSixth."),
    ).slides
    assert [slide.notes.removeprefix("About ") for slide in found] == [
        *("", "the first.\n\nMore.", "the second.", "the second.", ""),
        *("all of it.", "all of it."),
    ]


def test_what_only_makes_ready_is_no_slide():
    for cell, slides in (
        (code("import torch\n# more\nfrom math import (\n    pi,\n)\n\nsv.setup(seed=0)"), 0),
        (code("import torch\nx = 1"), 1),
        (code("net.load_state_dict(w)", data={"text/plain": "<All keys matched>"}), 1),
        (code("import torch", "ready"), 1),
        (code("%time x = 1"), 1),
    ):
        found = of(text("## Build\n\nA gate."), cell).slides[2:]
        assert len(found) == slides, cell.source
        assert not any("<" in slide.content.prints for slide in found)


def test_what_is_not_understood_names_the_cell():
    for cell, message in (
        (code("x = 1", focus=[[1, 2]]), r"cell 2 \('x = 1'\).*lines from 1 to 1, got \[1, 2\]"),
        (code("x = 1", focus=[[1, 1]], headline=["one"]), "1 texts for 1 steps.*give one for all"),
        (code("x = 1", say="no"), r"code cell holds \['focus', 'headline', 'show'\]"),
        (text("Gates.", say=3), "say must be text, got 3"),
        (code("sv.ask(question, ['a'])"), "not written out"),
    ):
        with pytest.raises(ValueError, match=f"(?s){message}"):
            of(cell)


def test_a_notebook_without_a_core_path_is_refused():
    with pytest.raises(ValueError, match=r"04_gates\.ipynb: has no cell tagged 'core'"):
        deck.page(run(nbformat.v4.new_markdown_cell("# A title")))


def test_a_formula_and_the_sign_after_it_stay_in_one_line():
    page, _ = deck.page(run(text("# A title\n\nGates $a$, $b$ or $c$.")))
    held = re.findall(r'<span class="ended"><math.*?</math>(\S)</span>', page, re.DOTALL)
    assert held == [",", "."]


def test_code_keeps_its_numbers_and_no_markup_of_its_own():
    lines = highlighting.lines('a = "<b>"  # <i>\n\n\nb = 2')
    assert [number for number, _ in lines] == [1, 2, 4]
    text_of = [re.sub("<[^>]*>", "", line) for _, line in lines]
    assert text_of == ["a = &#34;&lt;b&gt;&#34;  # &lt;i&gt;", "", "b = 2"]


def test_plotly_comes_along_only_with_a_figure():
    figure = {PLOTLY: {"data": [], "layout": {}}, "text/plain": "a line"}
    title = text("# A title\n\nGates.")
    without, _ = deck.page(run(title, code("x", "<script>alert(1)</script>")))
    with_it, _ = deck.page(run(title, code("x", data=figure)))
    assert len(without) < 200_000 < 2_000_000 < len(with_it)
    assert "&lt;script&gt;alert(1)" in without


def is_written(slide, cell):
    """Whether a person said what the slide says; the title and questions say it themselves."""
    says = cell.metadata.get("slide", {})
    match slide.content:
        case Question():
            return True
        case Text(say=say):
            return "headline" in says and (not say or "say" in says)
        case Code(folded=False) if core_path.lines(cell) > 10:
            return {"headline", "focus"} <= says.keys()
    return "headline" in says


def test_every_lecture_makes_slides():
    for name in LECTURES:
        notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
        held = lecture(notebook)
        planned = sum(cell.metadata.get("minutes", 0) for cell in notebook.cells)
        last = held.slides[-1]
        assert last.at + last.minutes == pytest.approx(planned), name
        assert len({slide.name for slide in held.slides}) == len(held.slides), name
        assert held.doubts == (), name
        for slide in held.slides:
            told = slide.headlines if not isinstance(slide.content, Question) else ()
            assert all(0 < len(line) <= 55 for line in told), (name, slide.name)
            assert is_written(slide, notebook.cells[slide.cell]), (name, slide.name)


def test_a_notebook_is_found_by_number_and_name():
    for name, stem in (("4", "04_lstm_gating"), ("04", "04_lstm_gating"), ("01_rnn_hello",) * 2):
        assert command.found(name).stem == stem
    for name in ("99", "nothing", "0", ""):
        with pytest.raises(SystemExit, match=r"(?s)01_rnn_hello.*18_bert_finetuning"):
            command.main(["present", name, "--no-browser"])


def test_a_lecture_is_written_and_shown_where_it_is_asked_for(tmp_path, monkeypatch, capsys):
    source = tmp_path / "small.ipynb"
    cells = [text("# Small\n\nThey are kept."), code("print(1 + 1)")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), source)
    opened = []
    monkeypatch.setattr(command.webbrowser, "open", lambda address: opened.append(address) or True)
    output = tmp_path / "new folder" / "deck.html"
    command.main(["present", str(source), "--output", str(output)])
    told = capsys.readouterr()
    assert opened == [output.as_uri()]
    assert told.out.strip() == str(output)
    assert "warning: small.ipynb, cell 1" in told.err
    assert '<pre class="out">2</pre>' in output.read_text(encoding="utf-8")
    command.main(["present", str(source), "--output", str(output), "--no-browser"])
    assert len(opened) == 1


def test_plumbing_is_hidden_and_see_it_begins_with_its_picture():
    slides = of(
        text("## See it\n\nDarker is more."),
        code("rows = 3", show="pictures"),
        code("print(1)\n2", "1", show="output"),
        code("view", data={PAGE: {"page": "<p>a view</p>"}}),
    ).slides
    assert [type(slide.content) for slide in slides] == [Text, Shown, Text, Code]
    assert slides[-1].content.folded


def test_questions_of_earlier_lectures_open_a_lecture_and_take_no_time():
    cells = (code("import torch", minutes=2), code('sv.again("04")', minutes=0), text("## See it"))
    slides = of(*cells, text("Look.", minutes=1)).slides
    assert [slide.section for slide in slides[1:4]] == ["Before we start"] * 3
    assert [type(slide.content) for slide in slides[1:4]] == [Question] * 3
    assert [slide.minutes for slide in slides[1:]] == [0, 0, 0, 4]
