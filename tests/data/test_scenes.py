from collections import Counter

import pytest
import torch

import seqviz as sv
from seqviz.data.generators.scenes import COLOURS, UNSEEN

SCENES = sv.data.shapes(300)


def test_the_same_seed_gives_the_same_scenes():
    assert sv.data.shapes(5, seed=3) == sv.data.shapes(7, seed=3)[:5] != sv.data.shapes(5, seed=4)
    assert sv.data.shape_questions(5, seed=3) == sv.data.shape_questions(7, seed=3)[:5]


def test_things_stand_inside_and_apart():
    for unseen in (False, True):
        for scene in sv.data.shapes(100, unseen=unseen):
            assert 2 <= len(scene.things) <= 4
            pairs = {(thing.colour, thing.shape) for thing in scene.things}
            assert len(pairs) == len(scene.things)
            assert len(pairs & UNSEEN) == unseen
            covered = torch.zeros(64, 64)
            for thing in scene.things:
                left, top, right, bottom = thing.box
                assert min(left, top) >= 0
                assert max(right, bottom) <= 64
                covered[top:bottom, left:right] += 1
            assert covered.max() == 1


def test_captions_are_true_and_all_of_them():
    side = {"left": lambda a, b: b.x - a.x, "right": lambda a, b: a.x - b.x}
    side |= {"above": lambda a, b: b.y - a.y, "below": lambda a, b: a.y - b.y}
    other = {"left": "right", "above": "below", "right": "left", "below": "above"}
    for scene in SCENES:
        named = {(thing.colour, thing.shape): thing for thing in scene.things}
        said = set(scene.captions)
        for words in said:
            a, b = named[words[1:3]], named[words[-2:]]
            far = side[words[3]](a, b)
            across = abs(a.y - b.y) if words[3] in ("left", "right") else abs(a.x - b.x)
            assert far > 0
            assert far >= 1.5 * across
            back = ("a", *words[-2:], other[words[3]], *words[4:-3], "a", *words[1:3])
            assert back in said


def test_a_thing_is_drawn_in_its_box_and_colour():
    (picture,), scene = sv.data.pictures_of(SCENES[:1]), SCENES[0]
    assert picture.shape == (3, 64, 64)
    around = picture.clone()
    for thing in scene.things:
        assert torch.allclose(picture[:, thing.y, thing.x], torch.tensor(COLOURS[thing.colour]))
        left, top, right, bottom = thing.box
        around[:, top:bottom, left:right] = scene.light
    assert (around == scene.light).all()


def test_an_answer_is_seen_in_the_picture():
    for one in sv.data.shape_questions(200):
        things, words = one.scene.things, one.words
        if words[1] == "colour":
            assert [t.colour for t in things if t.shape == words[4]] == [one.answer]
        elif words[1] == "shape":
            assert [t.shape for t in things if t.colour == words[4]] == [one.answer]
        elif words[0] == "is":
            assert (" ".join(words[3:5]) in {t.name for t in things}) == (one.answer == "yes")
        else:
            assert one.answer == {2: "two", 3: "three", 4: "four"}[len(things)]


def test_words_alone_are_at_chance():
    answers = {}
    for one in sv.data.shape_questions(1500, seed=0):
        answers.setdefault(one.words, Counter())[one.answer] += 1
    new = sv.data.shape_questions(1000, seed=1)
    right = sum(answers[one.words].most_common(1)[0][0] == one.answer for one in new) / len(new)
    guessed = sum(1 / len(answers[one.words]) for one in new) / len(new)
    assert right == pytest.approx(guessed, abs=0.03)
    assert guessed < 0.4


def test_what_cannot_be_drawn():
    for call, error, said in (
        (lambda: sv.data.shapes(1, seed=-1), ValueError, "seed must be at least 0"),
        (lambda: sv.data.shapes(1, unseen="yes"), TypeError, "unseen must be True or False"),
        (lambda: sv.data.pictures_of([1]), TypeError, "a list of Scene, got 1"),
    ):
        with pytest.raises(error, match=said):
            call()
