"""The paragraphs that argue: cues hold within a domain and break across, meaning carries."""

import dataclasses
from collections import Counter, defaultdict
from itertools import pairwise, permutations

import pytest

import seqviz as sv
from seqviz.data.generators.arguments.grammar import CUED, SIDES, SIZES, arguments
from seqviz.data.generators.arguments.lexicon import DOMAINS

PARTS = TRAIN, VAL, TEST = arguments()
MARKS = {".", ",", ";", ":"}
each_domain = pytest.mark.parametrize("name", DOMAINS)


def of(part, *names):
    return [one for one in part if one.domain in names]


def clauses(paragraph):
    """Kind, words, cue and place from the end of each component, and of each stretch between."""
    spans = sv.data.tags_to_spans(paragraph.bio, strict=True)
    starts = {span.start: span for span in spans}
    found, cue, t = [], [], 0
    while t < len(paragraph.words):
        if t in starts:
            kind, start, end = starts[t]
            found.append((kind, paragraph.words[start:end], " ".join(cue)))
            cue, t = [], end
        elif paragraph.words[t] in (".", ";") or (
            paragraph.words[t] in MARKS and paragraph.bio[t - 1] != "O"
        ):
            if cue and paragraph.bio[t - 1] == "O":
                found.append(("O", tuple(cue), cue_of(paragraph.domain, cue)))
            cue, t = [], t + 1
        else:
            cue.append(paragraph.words[t])
            t += 1
    return found


def cue_of(name, words):
    cues = sorted(DOMAINS[name].cues["O"], key=len, reverse=True)
    return next(cue for cue in cues if " ".join(words).startswith(cue))


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


def surface(place, clause):
    return clause[2] or place


def stance(name):
    signs = DOMAINS[name].stance
    return lambda _, clause: (
        sum(signs.get(word, 0) > 0 for word in clause[1])
        - sum(signs.get(word, 0) < 0 for word in clause[1])
    )


def test_sizes():
    for part, size in zip(PARTS, SIZES.values(), strict=True):
        assert Counter(one.domain for one in part) == dict.fromkeys(DOMAINS, size)
    assert len({one for part in PARTS for one in part}) == sum(map(len, PARTS))


def test_each_paragraph_has_one_claim_with_support_and_opposition():
    for one in (one for part in PARTS for one in part):
        kinds = [span.kind for span in sv.data.tags_to_spans(one.bio, strict=True)]
        assert kinds.count("THE") == 1
        assert {*kinds} == {"THE", "PRO", "CON"}
        for word, (before, tag) in zip(one.words[1:], pairwise(one.bio), strict=True):
            assert word not in (".", ";", ":") or tag == "O"
            assert tag != "O" or word in MARKS or before == "O"  # a component ends at a mark


def test_no_word_that_praises_or_blames_and_no_cue_is_in_two_domains():
    for one, other in permutations(DOMAINS.values(), 2):
        assert {*one.stance}.isdisjoint(other.stance)
        for words in (one.adjectives, one.verbs):
            for more in (other.adjectives, other.verbs):
                mine, theirs = ({w for ws in x.values() for w in ws} for x in (words, more))
                assert mine.isdisjoint(theirs)
        mine, theirs = ({c for cues in x.cues.values() for c in cues if c} for x in (one, other))
        assert mine.isdisjoint(theirs)


def test_no_subject_purpose_or_cue_praises_or_blames():
    signs = {word for domain in DOMAINS.values() for word in domain.stance}
    for domain in DOMAINS.values():
        texts = [
            *domain.subjects,
            *domain.purposes,
            *(c for cues in domain.cues.values() for c in cues),
        ]
        assert signs.isdisjoint(word for text in texts for word in text.split())


def test_every_word_is_a_piece_of_the_pretrained_encoder():
    file = sv.nn.find_vocabulary("sentence-transformers/all-MiniLM-L6-v2")
    pieces = {*file.read_text(encoding="utf-8").split("\n")}
    assert {word for part in PARTS for one in part for word in one.words} <= pieces


def test_the_same_frames_serve_all_three_sides():
    for one in TRAIN:
        for kind, words, _ in clauses(one):
            sides = {stance(one.domain)(0, (kind, (word,), "")) for word in words} - {0}
            assert sides == ({SIDES[kind]} - {0} if kind in SIDES else set()), (kind, words)


def test_most_components_have_a_cue():
    cued = [bool(cue) for one in TRAIN for kind, _, cue in clauses(one) if kind != "O"]
    assert sum(cued) / len(cued) == pytest.approx(CUED, abs=0.03)


@each_domain
def test_the_control_cues_and_places_tell_the_kind_within_a_domain_only(name):
    others = [other for other in DOMAINS if other != name]
    within = share_right(of(TRAIN, name), of(TEST, name), surface)
    across = share_right(of(TRAIN, *others), of(TEST, name), surface)
    blind = share_right(of(TRAIN, *others), of(TEST, name), lambda place, clause: 0)
    assert within > 0.85
    assert across < blind + 0.1 < 0.5


@each_domain
def test_meaning_tells_supported_from_opposed_in_every_domain(name):
    told = [
        (stance(name)(0, clause) > 0) == (clause[0] == "PRO")
        for one in of(TEST, name)
        for clause in clauses(one)
        if clause[0] in ("PRO", "CON")
    ]
    assert all(told)


def test_the_stance_of_a_word_is_that_of_its_domain():
    one = sv.data.Argued.from_line("town the road is [PRO safe and fast ] but [CON noisy ] .")
    assert one.stance == (0, 0, 0, 1, 0, 0, 0, -1, 0)
    assert one.bio == ("O", "O", "O", "B-PRO", "I-PRO", "I-PRO", "O", "B-CON", "O")


def test_two_components_may_touch():
    line = "town [THE so ] [THE so be ] [PRO it ]"
    assert sv.data.Argued.from_line(line).line == line


def test_a_paragraph_is_frozen_and_its_line_says_all():
    assert all(sv.data.Argued.from_line(one.line) == one for one in TEST)
    with pytest.raises(dataclasses.FrozenInstanceError):
        TEST[0].domain = "school"
