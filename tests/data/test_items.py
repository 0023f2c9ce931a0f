"""The items of data sets: what they refuse, and how they stand in files."""

import dataclasses

import pytest

import seqviz as sv
from seqviz.data.json_lines import read_items, write_parts
from seqviz.data.loaders import SHIPPED
from tests.refusing import refused

LINKED = sv.data.Pair(
    ("in", "japan"),
    ("au", "japon"),
    frozenset({(0, 0), (1, 1)}),
    frozenset({(0, 0), (1, 1), (0, 1)}),
)


def test_a_file_says_all_of_an_item_which_is_frozen_and_can_stand_in_a_set(tmp_path):
    for name, (kind, _) in SHIPPED.items():
        items = sv.data.load(name).test[:50]
        write_parts(tmp_path, {name: items})
        assert read_items(tmp_path / f"{name}.jsonl", kind) == items
        assert {items[0]} == {items[0]}
        for field in dataclasses.fields(items[0]) if kind is not str else ():
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(items[0], field.name, None)
    write_parts(tmp_path, {"linked": [LINKED], "strange": ["a \u2028 b\n", "é"]})
    assert read_items(tmp_path / "linked.jsonl", sv.data.Pair) == [LINKED]
    assert read_items(tmp_path / "strange.jsonl", str) == ["a \u2028 b\n", "é"]


@pytest.mark.parametrize("line", ["", "no JSON", "3", "[1]", '{"words": "a"}', '{"words": 5}',
                                  '{"words": "a", "labels": "inside outside"}', "\udcff",
                                  "[" * 100_000], ids=range(9))  # fmt: skip
def test_a_damaged_line_is_named(tmp_path, line):
    good = '{"words": "a ?", "labels": "outside Ben"}'
    path = tmp_path / "test.jsonl"
    path.write_text(f"{good}\n{line}\n", encoding="utf-8", errors="surrogateescape")
    with pytest.raises(ValueError, match=r"^line 2 of .*test\.jsonl must be .* a Quoted as JSON"):
        read_items(path, sv.data.Quoted)


def test_bad_items_are_refused():
    wrong = {
        "pos must have one": lambda: sv.data.Tagged(("a", "b"), ("DET",), ("O", "O")),
        "label must be at least 0": lambda: sv.data.Labelled("good", -1),
        "labels must have one": lambda: sv.data.Paragraph((("a",),), (), "x", "y"),
        r"possible must contain .*\[\(0, 0\)\]; use sure \|": lambda: sv.data.Pair(
            ("a",), ("un",), frozenset({(0, 0)})
        ),
    }
    refused(ValueError, wrong)
    wrong = {"words must be a list of words": lambda: sv.data.Quoted("ab", ("a", "b"))}
    refused(TypeError, wrong)


def test_components_are_read_from_a_line():
    one = sv.data.Argued.from_line("town the road is [PRO safe and fast ] but [CON noisy ] .")
    assert one.words == ("the", "road", "is", "safe", "and", "fast", "but", "noisy", ".")
    assert one.bio == ("O", "O", "O", "B-PRO", "I-PRO", "I-PRO", "O", "B-CON", "O")
    touching = sv.data.Argued.from_line("town [THE so ] [THE so be ] [PRO it ]")
    assert touching.bio == ("B-THE", "B-THE", "I-THE", "B-PRO")
    for line in (
        *("", "town", "law [THE a ]", "town [THE ]", "town [THE a", "town a ]", "town [WHY a ]"),
        *("town [THE a [PRO b ] ]", "town [THE a]", "town [ THE a ]"),
    ):
        with pytest.raises(ValueError, match=r"^line must be .*, got "):
            sv.data.Argued.from_line(line)
