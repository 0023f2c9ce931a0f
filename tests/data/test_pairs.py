import dataclasses
import re

import pytest

from seqviz.data import Pair

LINE = "near the river\tprès/0 du/1?0 fleuve/2"


def test_a_line_says_all():
    pair = Pair.from_line(LINE)
    assert pair.source == ("near", "the", "river")
    assert pair.target == ("près", "du", "fleuve")
    assert pair.sure == {(0, 0), (1, 1), (2, 2)}
    assert pair.possible == pair.sure | {(1, 0)}
    assert pair.line == LINE


@pytest.mark.parametrize(
    "line", ["he left\til est/?1 parti/1", "a b c\tx/0,1?2 y", "yes\toui", "a b c\tx/2 z/?0,2"]
)
def test_every_kind_of_link_survives(line):
    assert Pair.from_line(line).line == line


def test_links_may_be_left_out():
    pair = Pair.from_line("the house\tla casa")
    assert pair == Pair(("the", "house"), ("la", "casa"))
    assert pair.sure == pair.possible == frozenset()


def test_a_pair_is_frozen_and_can_stand_in_a_set():
    pair = Pair.from_line(LINE)
    assert {pair, Pair.from_line(LINE)} == {pair}
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair.target = ()


def test_a_sure_link_is_possible():
    with pytest.raises(ValueError, match=r"^possible must contain .*\[\(0, 0\)\]; use sure \|"):
        Pair(("a",), ("un",), frozenset({(0, 0)}))


@pytest.mark.parametrize("target", ["un/2", "un/0 deux/0?3", "un/?9"])
def test_a_link_outside_of_the_source_is_named(target):
    line = f"a b\t{target}"
    with pytest.raises(
        ValueError, match=r"^line must have links to source words 0 to 1, one is to"
    ):
        Pair.from_line(line)
    with pytest.raises(ValueError, match=re.escape(repr(line))):
        Pair.from_line(line)
