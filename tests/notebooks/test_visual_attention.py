"""What notebook 09 promises beyond running: its class, its solutions, its study and its encoder."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from tests.notebooks.parts import Notebook, any_row, study

NOTEBOOK = Notebook("09_visual_attention")


def renamed(key):
    """The name in the notebook's class of a weight of `sv.nn.Captioner`."""
    key = key.removeprefix("decoder.").removeprefix("attention.score.")
    return key.replace("rnn.", "gru.").removesuffix("_l0")


@pytest.mark.parametrize(
    ("region_dim", "words", "embed_dim", "units", "a"), [(10, 9, 4, 6, 5), (7, 12, 3, 8, 2)]
)
def test_the_notebooks_class_is_sv_nns(region_dim, words, embed_dim, units, a):
    scope = {"F": F, "nn": nn, "torch": torch}
    exec(NOTEBOOK.cell("class Captions"), scope)
    exec(NOTEBOOK.cell("class Captioner"), scope)
    torch.manual_seed(0)
    theirs = sv.nn.Captioner(region_dim, words, embed_dim, units, attention_dim=a).double()
    mine = scope["Captioner"](region_dim, words, embed_dim, units, a).double()
    mine.load_state_dict({renamed(key): weight for key, weight in theirs.state_dict().items()})
    r = torch.randn(3, 11, region_dim, dtype=torch.float64)
    captions = torch.tensor([[1, 4, 5, 8], [1, 7, 2, 0], [1, 2, 0, 0]])
    for one, other in zip(mine(r, captions), theirs(r, captions, True), strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-10)


@pytest.mark.parametrize("place", [(3.2, 4.0), (0.5, 2.5), (7.5, 8.0)])
def test_the_notebooks_window_is_sv_nns(place):
    source = NOTEBOOK.cell("def bells(middle, width, n, pixels)").split("\n\n\n")[0]
    scope = {"torch": torch}
    exec(source, scope)
    x = torch.rand(8, 8)
    row = scope["bells"](*place, 3, 8)
    window = torch.tensor([[place[0], place[0], place[1]]])
    torch.testing.assert_close(row @ x @ row.T, sv.nn.read_window(x[None], window, 3)[0])


@pytest.mark.parametrize(
    ("heading", "name", "check"),
    [
        ("### Exercise 1", "attend_to", sv.checks.attend_to),
        ("### Exercise 2", "mass_inside", sv.checks.mass_inside),
        ("### Exercise 3", "canvases", sv.checks.canvases),
    ],
)
def test_the_folded_solution_passes_and_the_stub_does_not(heading, name, check):
    NOTEBOOK.hold_to(heading, name, check, {"torch": torch})


def found(table, name, column):
    return [float(row[column]) for row in table if row["experiment"] == name]


def test_the_table_holds_every_run():
    script, table = study("09_captions")
    held = [(row["experiment"], int(row["seed"])) for row in table]
    assert held == [(name, seed) for name in script.EXPERIMENTS for seed in script.SEEDS]
    for row in table:
        options = script.EXPERIMENTS[row["experiment"]]
        assert {name: row[name] for name in options} == {k: str(v) for k, v in options.items()}


def test_attention_is_what_tells_where_things_stand():
    _, table = study("09_captions")
    attends = found(table, "caption, attention", "exact")
    assert min(attends) > 0.89
    for other in ("mean of the regions", "all regions in one vector"):
        assert max(found(table, f"caption, {other}", "exact")) < min(attends) - 0.4
    assert max(found(table, "caption, attention", "unseen")) < min(attends) - 0.2
    inside, area = (found(table, "caption, attention", column) for column in ("inside", "area"))
    assert all(weight > 3 * share for weight, share in zip(inside, area, strict=True))


def test_many_right_captions_are_not_why_an_early_query_is_worse():
    _, table = study("09_captions")
    for kind in ("caption", "caption, one each"):
        after, before = (
            found(table, f"{kind}, {query}", "exact")
            for query in ("attention", "attention before the word is read")
        )
        assert min(after) - max(before) > 0.04, kind
        assert 0.05 < (sum(after) - sum(before)) / 3 < 0.2, kind


def test_the_controls_are_controls():
    _, table = study("09_captions")
    assert min(found(table, "answer, attention", "right")) > 0.85
    assert max(found(table, "answer, no picture", "right")) < 0.42
    assert min(found(table, "glimpse, learned windows", "right")) > 0.9
    assert max(found(table, "glimpse, learned windows", "seen")) < 0.34  # a third of the pixels
    assert min(found(table, "drawing, KL times 0.1", "named")) > 0.8
    told, ignored = (found(table, f"drawing, KL times {x}", "spread") for x in ("0.1", "1"))
    assert max(ignored) < min(told)


def test_the_shipped_encoder_names_what_is_there():
    script, _ = study("09_captions")
    shipped = sv.data.load_weights("shapes_encoder")
    scenes = sv.data.shapes(200, seed=11)
    net = sv.nn.PictureClassifier(script.encoder(), len(shipped[1]))
    net.load_state_dict(shipped[0])
    with torch.no_grad():
        said = net.eval()(sv.data.pictures_of(scenes)) > 0
    for scene, row in zip(scenes, said, strict=True):
        names = {name for name, there in zip(shipped[1].tokens, row, strict=True) if there}
        assert names == {thing.name for thing in scene.things}


@pytest.mark.slow
def test_a_row_of_the_study_comes_out_again():
    script, table = study("09_captions")
    old = any_row(table)
    new = script.row_of(old["experiment"], int(old["seed"]))
    for column in ("exact", "right", "named"):
        if old[column]:
            assert float(new[column]) == pytest.approx(float(old[column]), abs=0.1), old
