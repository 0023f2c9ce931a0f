"""The paragraphs that argue: cues hold within a domain and break across, meaning carries."""

from collections import Counter, defaultdict
from itertools import pairwise

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("arguments")
PARTS = TRAIN, _, TEST = DATA.train, DATA.val, DATA.test
DOMAINS = maker("arguments").DOMAINS
MARKS = {".", ",", ";", ":"}


def of(part, *names):
    return [one for one in part if one.domain in names]


def clauses(paragraph):
    """Kind, stance and cue of each component, and of each stretch between."""
    starts = {span.start: span for span in sv.data.tags_to_spans(paragraph.bio, strict=True)}
    found, cue, t = [], [], 0
    while t < len(paragraph.words):
        word, before = paragraph.words[t], paragraph.bio[t - 1]
        if t in starts:
            kind, start, end = starts[t]
            found.append((kind, {*paragraph.stance[start:end]} - {0}, " ".join(cue)))
            cue, t = [], end
        elif word in (".", ";") or (word in MARKS and before != "O"):
            if cue and before == "O":
                known = sorted(DOMAINS[paragraph.domain].cues["O"], key=len, reverse=True)
                text = " ".join(cue)
                found.append(("O", set(), next(c for c in known if text.startswith(c))))
            cue, t = [], t + 1
        else:
            cue.append(word)
            t += 1
    return found


def share_right(train, test, read):
    """Share of the components of `test` whose most frequent kind in `train` for what is read is
    theirs; what never came takes the most frequent kind of all."""
    counts, every = defaultdict(Counter), Counter()
    for paragraph in train:
        for place, clause in enumerate(clauses(paragraph)):
            counts[read(place, clause)][clause[0]] += 1
            every[clause[0]] += 1
    right = [
        counts.get(read(place, clause), every).most_common(1)[0][0] == clause[0]
        for paragraph in test
        for place, clause in enumerate(clauses(paragraph))
    ]
    return sum(right) / len(right)


def test_each_paragraph_has_one_claim_with_support_and_opposition():
    assert [Counter(one.domain for one in part) for part in PARTS] == [
        dict.fromkeys(DOMAINS, size) for size in (160, 20, 60)
    ]
    assert len({one.words for part in PARTS for one in part}) == sum(map(len, PARTS))
    for one in (one for part in PARTS for one in part):
        kinds = [span.kind for span in sv.data.tags_to_spans(one.bio, strict=True)]
        assert kinds.count("THE") == 1
        assert {*kinds} == {"THE", "PRO", "CON"}
        for word, (before, tag) in zip(one.words[1:], pairwise(one.bio), strict=True):
            assert word not in (".", ";", ":") or tag == "O"
            assert tag != "O" or word in MARKS or before == "O"  # a component ends at a mark


def test_every_word_is_a_piece_of_the_pretrained_encoder():
    file = sv.nn.find_vocabulary("sentence-transformers/all-MiniLM-L6-v2")
    pieces = {*file.read_text(encoding="utf-8").split("\n")}
    assert {word for part in PARTS for one in part for word in one.words} <= pieces


def test_the_words_of_a_component_praise_or_blame_as_its_kind_says():
    sides = {"PRO": {1}, "CON": {-1}, "O": set(), "THE": set()}
    for part in PARTS:
        assert all(told == sides[kind] for one in part for kind, told, _ in clauses(one))


@pytest.mark.parametrize("name", DOMAINS)
def test_the_control_cues_and_places_tell_the_kind_within_a_domain_only(name):
    def surface(place, clause):
        return clause[2] or place

    others = [other for other in DOMAINS if other != name]
    within = share_right(of(TRAIN, name), of(TEST, name), surface)
    across = share_right(of(TRAIN, *others), of(TEST, name), surface)
    blind = share_right(of(TRAIN, *others), of(TEST, name), lambda place, clause: 0)
    assert within > 0.85
    assert across < blind + 0.1 < 0.5
