"""`make notebooks` and `make site` on small notebooks."""

import base64
import io
from itertools import pairwise

import nbformat
import numpy as np
import pytest
from PIL import Image, ImageColor

from seqviz import publishing, site
from seqviz.execution import PAGE, PLOTLY, WIDGET
from seqviz.views.shared import chromium
from tests.conftest import NOTEBOOKS, give_up

pytestmark = pytest.mark.browser

VIEW = "view = sv.view.unroll({0}, 'helo', 'hello')\nview.step = 2\nview"
MATRICES = "sv.nn.LanguageModel(4, hidden_size=3).matrices()"
FIGURE = "import plotly.graph_objects as go\nfigure = go.Figure(go.Scatter(y=[1.0, 2.0, 4.0]))\n"


@pytest.fixture(autouse=True)
def _chromium():
    if chromium.find() is None:
        give_up("no Chromium for the pictures")


@pytest.fixture
def write(tmp_path):
    def write(*sources, name="small.ipynb"):
        new = {True: nbformat.v4.new_markdown_cell, False: nbformat.v4.new_code_cell}
        cells = [new[source.startswith("#")](source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / name)
        return tmp_path / name

    return write


def test_outputs_become_pictures_and_a_second_run_changes_nothing(write, tmp_path):
    bars = "import sys\nfrom tqdm.std import tqdm\n"
    bars += "for _ in tqdm(range(9), file=sys.stdout, bar_format='{n} of {total}'): pass"
    path = write(
        "# Small\n\nThe *one* line, with $h_t$.\n",
        "import seqviz as sv\n\nsv.setup(seed=0)",
        VIEW.format(MATRICES),
        FIGURE + 'figure.update_layout(meta={"alt": "a rise"})\nfigure',
        bars,
        "print(object())\nobject()",
        "1 / 0",
    )
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[-1].metadata.tags = ["raises-exception"]
    nbformat.write(notebook, path)
    (run,) = publishing.publish("all", [path], tmp_path / "site")
    first = path.read_text(encoding="utf-8")
    cells = nbformat.reads(first, as_version=4).cells
    assert [cell.execution_count for cell in cells[1:]] == [1, 2, 3, 4, 5, 6]

    (view,) = cells[2].outputs
    assert set(view.data) == {"text/plain", "image/png"}
    plain, alt = view.data["text/plain"], view.metadata["image/png"]["alt"]
    assert alt.startswith(f"{plain}. ")
    assert len(alt) > len(plain) + 20  # what the picture says
    picture = Image.open(io.BytesIO(base64.b64decode(view.data["image/png"])))
    assert picture.width == 900 * publishing.SCALE
    assert len(set(picture.convert("L").tobytes())) > 20  # something is drawn

    (figure,) = cells[3].outputs
    assert set(figure.data) == {PLOTLY, "text/plain", "image/png"}
    assert figure.metadata["image/png"]["alt"] == figure.data["text/plain"] == "a rise"
    drawn = Image.open(io.BytesIO(base64.b64decode(figure.data["image/png"])))
    assert drawn.width == figure.metadata["image/png"]["width"] == 833  # a cell's, side bar open
    assert cells[4].outputs[0].text == "9 of 9\n"
    assert [o.get("text") or o.data["text/plain"] for o in cells[5].outputs] == [
        "<object object at 0x…>\n",
        "<object at 0x…>",
    ]
    assert [output.ename for output in cells[6].outputs] == ["ZeroDivisionError"]
    for text in (PAGE, WIDGET, '"widgets"', '"execution"'):
        assert text not in first
    assert run.seconds > 0
    assert run.memory is None or run.memory > 50

    page = (tmp_path / "site" / "small.html").read_text(encoding="utf-8")
    assert page.count('src="shared/plotly.js"') == 1
    shared = (tmp_path / "site" / "shared" / "plotly.js").read_text(encoding="utf-8")
    assert shared.count("plotly.js v") == 1
    assert "<math" in page
    assert site.about(run.notebook) == ("Small", "The one line, with $h_t$.")

    publishing.publish("notebooks", [path])
    assert path.read_text(encoding="utf-8") == first
    assert sorted(file.name for file in tmp_path.iterdir()) == ["site", "small.ipynb"]


def test_two_machines_of_one_notebook_are_pictures_each_with_its_numbers(write):
    machine = "sv.machine(sv.nn.GPT(4, 8, 4, 1, 1), sv.data.Vocabulary('abcd'), '{}', depth=2)"
    path = write("# Title", "import seqviz as sv", *map(machine.format, ("ab", "dc")))
    publishing.publish("notebooks", [path])
    _, _, *cells = nbformat.read(path, as_version=4).cells
    alts = [cell.outputs[0].metadata["image/png"]["alt"] for cell in cells]
    assert ["“b” attends to" in alts[0], "“c” attends to" in alts[1]] == [True, True]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("1 / 0", r"small.ipynb, cell 2 \('1 / 0'\) failed:(.|\n)*ZeroDivisionError"),
        ("import ipywidgets\nipywidgets.IntSlider()", "cell 2 .*is not a seqviz view"),
    ],
)
def test_a_cell_that_fails_is_named_and_the_file_stays(write, source, message):
    path = write("# Title", source)
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match=message):
        publishing.publish("notebooks", [path])
    assert path.read_bytes() == before


def test_a_stand_in_for_data_is_not_committed(write, monkeypatch, tmp_path):
    monkeypatch.setenv("SEQVIZ_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    path = write("# Title", "import seqviz as sv\nsv.data.load('shakespeare').source")
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match=r"cell 2 (.|\n)*StandInWarning: .*a play of our own"):
        publishing.publish("notebooks", [path])
    assert path.read_bytes() == before


def test_a_figure_that_never_comes_is_named(write, monkeypatch):
    monkeypatch.setattr(publishing, "IMAGE", "() => new Promise(() => {})")
    monkeypatch.setattr(publishing, "PATIENCE", 100)
    path = write("# Title", FIGURE + "figure.update_layout(meta={'alt': 'a rise'})")
    with pytest.raises(RuntimeError, match=r"cell 2 .*the figure did not draw"):
        publishing.publish("notebooks", [path])


def test_a_figure_without_alternative_text_is_refused(write):
    path = write("# Title", FIGURE + "figure")
    with pytest.raises(ValueError, match=r"small.ipynb, cell 2 .*no alternative text"):
        publishing.publish("notebooks", [path])


def test_a_picture_keeps_rare_colours():
    """A map of blues fills it: the few cells from violet to rust are not taken for them."""

    def ramp(*colours):
        ends = pairwise(ImageColor.getrgb(colour) for colour in colours)
        return np.concatenate([np.linspace(one, other, 160) for one, other in ends])

    picture = np.full((200, 320, 3), 255)
    picture[20:] = ramp("#f1f4fa", "#7c97d3", "#0d1d45")
    picture[4:8] = ramp("#4a2c83", "#f5f5f2", "#8f3d0c")
    file = io.BytesIO()
    Image.fromarray(picture.astype(np.uint8)).save(file, "PNG")
    few = Image.open(io.BytesIO(publishing._few_colours(file.getvalue()))).convert("RGB")
    assert np.abs(np.asarray(few).astype(int) - picture).max() < 20
    assert few.getpixel((0, 0)) == (255, 255, 255)


def test_the_command_line_names_what_is_missing(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        publishing.main(["notebooks"])
    assert "run from the repository's top folder" in capsys.readouterr().err
    for flags in ([], ["--single"]):
        with pytest.raises(SystemExit):
            publishing.main(["site", *flags, "none.ipynb"])
        assert "no such notebook: none.ipynb" in capsys.readouterr().err


def test_the_picture_of_the_readme_is_the_committed_one_of_the_first_notebook():
    top = NOTEBOOKS.parent
    picture = publishing.first_picture(NOTEBOOKS / "01_rnn_hello.ipynb")
    same = (
        top / ".github" / "picture.png"
    ).read_bytes() == picture  # to tell the bytes takes minutes
    assert same, "make notebooks writes it"
