"""Checks of notebook 17: 80/10/10 from given numbers, two texts as one, whole words."""

import torch
from torch import Tensor, where

from seqviz.checks.cases import Case, Cases, by_part, check

IGNORED = -100
SIZES = ((2, 7, 9), (3, 11, 13), (1, 40, 17), (2, 3, 5))  # batch, time, vocabulary
TINY = 1e-9
EXACT = torch.tensor([[0.15, 0.02, 0.1, 0.14], [0.3, 0.8, 0.9, 0.95]], dtype=torch.float64)


def _mixed(*shape: int, step: int) -> Tensor:
    """Numbers from 0 to 1 that are not in order, each once."""
    count = torch.Size(shape).numel()
    return ((torch.arange(count) * step % count + 0.5) / count).double().reshape(shape)


@check("right, inputs and labels, for four sizes.")
def masked_inputs() -> Cases:
    """Check `masked_inputs(ids, chance, turn, other, mask_id, special) -> (inputs, labels)`.

    All tensors are (batch, time). A token is chosen where `chance` is below 0.15 and `special` is
    False; of the chosen, `turn` below 0.8 gives `mask_id`, below 0.9 `other`, else nothing.

    Source: decks 001 to 004; Devlin et al. (2019), 3.1.
    """
    for (batch, time, V), mask_id in zip(SIZES, (1, 0, 103, 1), strict=True):
        ids = 2 + torch.arange(batch * time).reshape(batch, time) * 3 % (V - 2)
        other = 2 + (ids + 1) % (V - 2)
        special = torch.zeros(batch, time, dtype=torch.bool)
        special[:, [0, -1]] = True
        chance = 0.4 * _mixed(batch, time, step=19)
        chance[:, 0] = 0.01
        turn = _mixed(time, batch, step=23).T.contiguous()
        if time > len(EXACT.T) + 2:
            chance[-1, 1:5], turn[-1, 1:5] = EXACT
        chance[0, -2], special[0, -2] = 0.03, True  # padding

        def masked(below=0.15, first=0.8, second=0.9, special=special) -> Tensor:
            """Inputs with [MASK] where turn is below `first`, another token below `second`."""
            chosen = (chance < below) & ~special
            inputs = where(chosen & (turn < second), other, ids)
            return where(chosen & (turn < first), mask_id, inputs)

        inputs, low = masked(), chance < 0.15
        chosen = low & ~special
        of_inputs = {
            "[CLS] and [SEP] are chosen too: leave out what is special": masked(
                special=special & False
            ),
            "every chosen token becomes [MASK]: look at turn": masked(first=1.0),
            "another token comes where turn is from 0.8 to 0.9, not above": masked(second=1.0),
            "no chosen token becomes another one": masked(second=0.8),
            "the shares are of the chosen tokens, not of all": where(turn < 0.8, mask_id, ids),
            "a token whose chance is 0.15 itself is not chosen": masked(0.15 + TINY),
            "0.8 itself gives another token, not [MASK]": masked(first=0.8 + TINY),
            "0.9 itself changes nothing": masked(second=0.9 + TINY),
        }
        of_labels = {
            "[CLS] and [SEP] have a label: leave out what is special": where(low, ids, IGNORED),
            "these are the labels of all tokens; -100 where a token is not chosen": ids,
            "a token that is not chosen has the label -100, not 0": where(chosen, ids, 0),
            "a label is the token that stood there, not what the net reads": (
                where(chosen, inputs, IGNORED)
            ),
            "a chosen token has a label also where it was replaced or kept": (
                where(inputs == mask_id, ids, IGNORED)
            ),
            "a chosen token has a label also where it was kept": where(inputs != ids, ids, IGNORED),
        }
        given = {"ids": ids, "chance": chance, "turn": turn, "other": other, "mask_id": mask_id}
        right = {"inputs": inputs, "labels": where(chosen, ids, IGNORED)}
        slips = by_part({"inputs": of_inputs, "labels": of_labels})
        yield Case(f", {batch} x {time} tokens", given | {"special": special}, right, slips)


@check("right, ids and segments, for five pairs.")
def pair_input() -> Cases:
    """Check `pair_input(first, second, longest, cls, sep) -> (ids, segments)`.

    `first` and `second` are tensors of ids. While the pair and its three marks are more than
    `longest`, the longer text loses its last id, of two equally long ones the second.

    Source: decks 001 to 004, "Token + Segment + Position"; Devlin et al. (2019), 3.1.
    """

    def kept(m: int, n: int, room: int, at_a_tie: bool = False) -> tuple[int, int]:
        while m + n > room:
            m, n = (m - 1, n) if m > n or (at_a_tie and m == n) else (m, n - 1)
        return m, n

    def joined(a: Tensor, b: Tensor) -> Tensor:
        return torch.cat([torch.tensor([cls]), a, torch.tensor([sep]), b, torch.tensor([sep])])

    for m, n, longest, cls, sep in (
        (3, 5, 20, 1, 2),
        (9, 4, 12, 101, 102),
        (3, 11, 11, 0, 7),
        (6, 7, 12, 5, 6),
        (8, 2, 13, 3, 9),
    ):
        first, second = 10 + 3 * torch.arange(m), 200 - 2 * torch.arange(n)
        room = longest - 3
        (i, j), (p, q) = kept(m, n, room), kept(m, n, room, at_a_tie=True)
        ids, place = joined(first[:i], second[:j]), torch.arange(i + j + 3)
        of_ids = {
            "nothing is cut": joined(first, second),
            "the marks count, too: with them there are more than longest": joined(
                first, second[: max(longest - m, 0)]
            ),
            "cut the texts, not the pair: its last [SEP] is lost": joined(first, second)[:longest],
            "the longer text is cut, not always the second": joined(
                first[:room], second[: max(room - m, 0)]
            ),
            "a text loses its last ids, not its first": joined(first[m - i :], second[n - j :]),
            "of two equally long texts the second is cut": joined(first[:p], second[:q]),
            "[SEP] stands behind the second text, too": ids[:-1],
            "between the two texts stands one [SEP]": torch.cat([ids[: i + 1], ids[i + 2 :]]),
        }
        of_segments = {
            "the first [SEP] is in segment 0": (place > i).long(),
            "the last [SEP] is in segment 1": ((place > i + 1) & (place < i + j + 2)).long(),
            "segments are 0 and 1": (place > i + 1) + 1,
        }
        given = {"first": first, "second": second, "longest": longest, "cls": cls, "sep": sep}
        right = {"ids": ids, "segments": (place > i + 1).long()}
        slips = by_part({"ids": of_ids, "segments": of_segments})
        yield Case(f", {m} and {n} ids, {longest} at most,", given, right, slips)


@check("right, whole words alone, for three sizes.")
def whole_words() -> Cases:
    """Check `whole_words(words, chance) -> chosen`: which tokens a choice of words takes.

    `words` (batch, time) has the number of each token's word, -1 for none; `chance`
    (batch, words) a number for each word. A word is chosen below 0.15, with all its tokens.

    Source: deck 003, "ERNIE"; Sun et al. (2019), 3.2.
    """
    for batch, time, longest, first, last in (
        (2, 7, 2, 0.05, 0.3),
        (3, 12, 4, 0.3, 0.1),
        (1, 16, 3, 0.05, 0.1),
    ):
        inner = torch.arange(batch * (time - 2)).reshape(batch, time - 2) % (time - 2)
        words = torch.full((batch, time), -1)
        words[:, 1:-1] = inner // longest
        words[0, -2:] = -1  # padding
        words[0, 1 + longest] = words[-1, 1 : 1 + longest] = -1  # [SEP], and a window's begin
        count = int(words.max()) + 1
        chance = 0.4 * _mixed(batch, count, step=count * batch + 1)
        chance[0, 0], chance[0, 1], chance[0, -1] = first, 0.12, last
        chance[1:] = 0.31 - chance[:1]  # each text its own
        chance[1:-1] += 0.15  # a text without a chosen word
        chance[-1, 1] = 0.15
        inside = words >= 0
        of_token = chance.gather(1, words.clamp(min=0))
        right, by_token = (of_token < 0.15) & inside, torch.zeros(batch, time).double()
        by_token[:, :count] = chance
        starts = torch.ones_like(right)
        starts[:, 1:] = words[:, 1:] != words[:, :-1]
        first_text = chance[0].expand(batch, -1).gather(1, words.clamp(min=0))
        slips = {
            "a token with word -1 is of no word: chance[-1] is that of the last word": (
                chance.gather(1, where(inside, words, count - 1)) < 0.15
            ),
            "a token with word -1 is of no word, not of word 0": of_token < 0.15,
            "only the first piece of each word is chosen; take all of them": right & starts,
            "chance belongs to words; look it up by each token's word": (by_token < 0.15) & inside,
            "each text has its own chances": (first_text < 0.15) & inside,
            "below 0.15 a word is chosen, not above": ~right & inside,
            "a word whose chance is 0.15 itself is not chosen": (of_token < 0.15 + TINY) & inside,
        }
        asked = f" of {batch} texts with words of {longest} pieces"
        yield Case(asked, {"words": words, "chance": chance}, right, slips)
