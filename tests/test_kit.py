"""The study of one lesson: its questions, its page, and an analysis that finds what is there."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from seqviz.kit import analysed, written
from seqviz.kit.inventory import items, version

ROOT = Path(__file__).parents[1]


def export(**changes):
    right = [item.right for item in items()]
    given = {"version": version(), "code": "a", "arm": "text", "before": right, "after": right}
    return {**given, **changes}


def class_of(folder, students, effect, seed):
    """Answers of two arms that know .4 before; a text teaches .15 more, a view `effect` more."""
    generator = np.random.default_rng(seed)
    for number in range(2 * students):
        arm = ("text", "view")[number % 2]
        skill = np.clip(generator.normal(0.4, 0.1), 0.05, 0.7)
        choices = {}
        for when, share in (("before", skill), ("after", skill + 0.15 + effect * (arm == "view"))):
            choices[when] = [
                item.right if generator.random() < share else (item.right + 1) % len(item.options)
                for item in items()
            ]
        one = export(code=str(number), arm=arm, **choices)
        (folder / f"{number}.json").write_text(json.dumps(one), encoding="utf-8")
    return sorted(folder.glob("*.json"))


def test_the_questions_have_distractors_that_were_recorded():
    sources = [
        *ROOT.glob("seqviz/checks/**/*.py"),
        *ROOT.glob("notebooks/assignments/answers/*/*.py"),
    ]
    texts = " ".join(path.read_text(encoding="utf-8") for path in sources)
    asked = " ".join(path.read_text(encoding="utf-8") for path in ROOT.glob("notebooks/*.ipynb"))
    recorded = re.sub(r'"\s*"', "", re.sub(r"\s+", " ", texts)) + asked
    slips = {slip for item in items() for slip in item.slips.values()}
    assert len(items()) == 20
    assert sum(bool(item.slips) for item in items()) >= 18
    assert {slip for slip in slips if slip not in recorded} == set()
    for item in items():
        assert {*item.slips} <= {*item.options} - {item.answer}


def test_an_effect_that_is_there_is_found(tmp_path):
    result = analysed(class_of(tmp_path, 30, 0.2, seed=1))
    assert result.interval[0] > 0
    assert result.chance < 0.01
    assert result.difference == pytest.approx(0.2, abs=0.08)
    assert "a difference" in str(result)


def test_no_effect_is_found_where_there_is_none(tmp_path):
    found = 0
    for seed in range(40):
        folder = tmp_path / str(seed)
        folder.mkdir()
        result = analysed(class_of(folder, 15, 0.0, seed), draws=1000)
        found += result.chance < 0.05
    assert found <= 6  # 2 expected; more than 6 of 40 in one of 500 such tests


def test_the_analysis_is_written_by_question(tmp_path):
    answers = tmp_path / "answers"
    answers.mkdir()
    result = written(tmp_path, class_of(answers, 5, 0.1, seed=3))
    lines = (tmp_path / "questions.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 21
    assert "5 students" in str(result)


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (export(), "the same student as"),
        (export(code="b", version="0"), "answers to other questions"),
        (export(code="b", arm="film"), "arm must be one of text, view"),
        (export(code="b", after=[0]), "not an export"),
        (export(code="b", before=[9] * 20), "an option for each of 20 questions"),
        ([1], "not an export"),
        (export(code="b"), "arm 'text' has 2 students, wants 5"),
    ],
)
def test_what_cannot_be_analysed_is_named(tmp_path, second, words):
    files = []
    for number, one in enumerate((export(), second)):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(one), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        analysed(files)
