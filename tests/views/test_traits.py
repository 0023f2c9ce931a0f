"""What a control cannot be is refused: the old value stays, and the view goes on."""

import numpy as np
import pytest
import torch
from traitlets import TraitError

from seqviz.views.shared.traits import Choice
from seqviz.views.shared.widget import cell
from tests.views.views import VIEWS


@pytest.fixture(params=VIEWS.values(), ids=list(VIEWS))
def view(request):
    return request.param()


def numbers(view):
    return [name for name, value in view.controls().items() if type(value) in (int, float)]


def kinds(controls):
    """Values with their types: True equals 1."""
    return {name: (value, type(value)) for name, value in controls.items()}


@pytest.mark.parametrize("value", [None, True, False, np.True_, torch.tensor(1.5), [1]], ids=repr)
def test_no_number_is_refused(view, value):
    before, said = view.controls(), view.alt
    for name in numbers(view):
        with pytest.raises(TraitError, match=f"{name}: expected a (whole )?number.*, came "):
            setattr(view, name, value)
    assert kinds(view.controls()) == kinds(before)
    assert view.alt == said


def test_no_word_is_refused(view):
    before = view.controls()
    for name, trait in view.traits().items():
        if name in before and isinstance(trait, Choice):
            for value in (None, np.zeros((2, 2)), ["mean"], "no such word"):
                with pytest.raises(TraitError, match=f"'{name}' trait"):
                    setattr(view, name, value)
    assert view.controls() == before


def test_the_line_is_what_jupyter_shows_and_the_table_what_a_csv_holds(view):
    assert view._repr_mimebundle_()[0]["text/plain"] == view.alt
    assert view.to_csv() == "".join(",".join(map(cell, row)) + "\n" for row in view.table())


def test_what_the_picture_says_is_read_only_here_and_no_control(view):
    before = view.controls()
    assert view.said == ""
    view.set_state({"said": "it attends to the cat"})
    assert view.said == "it attends to the cat"
    assert view.controls() == before
    with pytest.raises(TraitError, match="read-only"):
        view.said = "nothing"


WRONG = {
    bool: [None, "zzz", 2],
    int: [None, True, False, "zzz", 10**9],
    float: [None, True, False, "zzz", float("nan")],
    str: [None, "zzz", True, 1],
    dict: [None, {"zzz": 1}],
    list: [None, "zzz", 1, ["zzz"], [["self", 0, 0]]],
}


def test_a_page_that_writes_nonsense_gets_the_old_values_back(view, monkeypatch):
    before, said, sent = view.controls(), view.alt, []
    monkeypatch.setattr(view, "send_state", lambda names: sent.append(names))
    for name, value in before.items():
        for wrong in WRONG[type(value)]:
            if (name, wrong) == ("find", "zzz"):
                continue  # any text may be looked for
            for state in ({name: wrong}, {**before, name: wrong}):
                with pytest.raises(TraitError):
                    view.set_state(state)
                assert sent.pop() == list(state)
                assert kinds(view.controls()) == kinds(before)
    assert view.alt == said


def test_one_wrong_value_brings_all_of_a_message_back():
    view = VIEWS["attention"]()
    with pytest.raises(TraitError, match="kind: expected one of self"):
        view.set_state({"words": True, "kind": "zzz", "layer": 1})
    assert (view.words, view.kind, view.layer) == (False, "self", 0)
    with pytest.raises(TraitError), view.hold_trait_notifications():
        view.layer, view.kind = 1, "zzz"
    assert (view.kind, view.layer) == ("self", 0)


@pytest.mark.parametrize("name", ["facts", "first", "_esm", "_css"])
def test_a_page_writes_controls_only(view, name):
    before = getattr(view, name)
    with pytest.raises(TraitError, match=f"{name}: a page writes its controls only: "):
        view.set_state({name: {} if name in ("facts", "first") else "alert(1)"})
    assert getattr(view, name) is before
    view.set_state(view.controls())
    assert view.alt
