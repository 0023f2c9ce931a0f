"""Small nets of attention alone, in which one head does what it is told; and the same, shuffled."""

import numpy as np
import torch
from torch import Tensor, nn

from seqviz.heads import Survey, sentence_of
from seqviz.heads.kinds import KINDS, kinds_of
from seqviz.heads.scores import Scores, scores_of

WORDS = ["[CLS]", "[SEP]", *(f"w{k}" for k in range(22))]
PLACES, HEADS, LAYERS = 24, 4, 2
TOKEN, PLACE, SLOT = 0, len(WORDS), len(WORDS) + PLACES  # where a state holds what
UNITS = SLOT + len(WORDS)  # the slot: the token before, once a head has written it there
SHARP = 9.0
PLANTED = ("previous word", "induction", "separator", "same word", "fixed distance")


class Net(nn.Module):
    """Two layers of four heads without feed-forward; all weights are small but those planted."""

    def __init__(self, kind: str, seed: int):
        super().__init__()
        draw = torch.Generator().manual_seed(seed)
        shape = (LAYERS, HEADS, UNITS, UNITS)
        self.scores = nn.Parameter(0.1 * torch.randn(shape, generator=draw))  # query times key
        self.values = nn.Parameter(0.1 * torch.randn(shape, generator=draw))
        self.causal = kind == "induction"
        layer, head = (int(torch.randint(n, (), generator=draw)) for n in (LAYERS, HEADS))
        self.allowed = {(1 if self.causal else layer, head): {kind}}
        self.planted = min(self.allowed)
        with torch.no_grad():
            getattr(self, f"_{kind.replace(' ', '_')}")(*self.planted, 2 + seed % 4)

    def _at(self, layer: int, head: int, distance: int) -> None:
        """Attend to what stands so many places in front."""
        scores = self.scores[layer, head]
        scores.zero_()
        for place in range(distance, PLACES):
            scores[PLACE + place, PLACE + place - distance] = SHARP

    def _previous_word(self, layer: int, head: int, _) -> None:
        self._at(layer, head, 1)
        self.allowed[layer, head] |= {"by position"}

    def _fixed_distance(self, layer: int, head: int, distance: int) -> None:
        self._at(layer, head, distance)
        self.allowed[layer, head] |= {"by position"}

    def _separator(self, layer: int, head: int, _) -> None:
        self.scores[layer, head].zero_()
        self.scores[layer, head, PLACE:SLOT, 1] = SHARP

    def _same_word(self, layer: int, head: int, _) -> None:
        scores = self.scores[layer, head]
        scores.zero_()
        scores[range(len(WORDS)), range(len(WORDS))] = SHARP
        scores[range(PLACE, SLOT), range(PLACE, SLOT)] = -SHARP

    def _induction(self, layer: int, head: int, _) -> None:
        """A head of the first layer writes the token before; that of the second looks for it."""
        self._at(0, 0, 1)
        self.allowed[0, 0] = {"previous word", "by position"}
        slot = range(SLOT, UNITS)
        self.values[0].zero_()
        self.values[0, 0, range(len(WORDS)), slot] = 1
        self.scores[layer, head].zero_()
        self.scores[layer, head, range(len(WORDS)), slot] = SHARP

    def forward(self, ids: Tensor) -> Tensor:
        """The weights (layer, head, query, key) of a row of ids."""
        state = torch.zeros(len(ids), UNITS)
        state[range(len(ids)), ids] = 1
        state[range(len(ids)), range(PLACE, PLACE + len(ids))] = 1
        seen, maps = torch.ones(len(ids), len(ids)), []
        seen = seen.tril() if self.causal else seen
        for scores, values in zip(self.scores, self.values, strict=True):
            raw = torch.einsum("iu,huv,jv->hij", state, scores, state)
            weights = raw.masked_fill(seen == 0, -torch.inf).softmax(-1)
            maps.append(weights)
            state = state + torch.einsum("hij,ju,huv->iv", weights, state, values)
        return torch.stack(maps)


def shuffled(net: nn.Module, seed: int) -> nn.Module:
    """The net with the numbers of each weight in another order."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in net.parameters():
            order = torch.randperm(weight.numel(), generator=draw)
            weight.copy_(weight.flatten()[order].view_as(weight))
    return net


def sentences(seed: int, count: int = 60) -> list[list[int]]:
    """Random words, a few of them often, between [CLS] and [SEP]."""
    draw = np.random.default_rng(seed)
    often = 1 / np.arange(1, len(WORDS) - 1)
    rows = [
        draw.choice(len(WORDS) - 2, draw.integers(8, PLACES - 2), p=often / often.sum()) + 2
        for _ in range(count)
    ]
    return [[0, *row.tolist(), 1] for row in rows]


def looked_at(net: Net, rows: list[list[int]]) -> tuple[Scores, dict[tuple[int, int], set[str]]]:
    """The scores of a net's heads, and the kinds of those that have any."""
    survey = Survey(LAYERS * HEADS)
    with torch.no_grad():
        for ids in rows:
            maps = net(torch.tensor(ids)).flatten(0, 1).numpy()
            survey.add(maps, sentence_of([WORDS[k] for k in ids], WORDS[:2]))
    scores = scores_of(survey)
    held = kinds_of(scores, len(survey))
    names = {}
    for head, kind in np.argwhere(held).tolist():
        names.setdefault(divmod(head, HEADS), set()).add(KINDS[kind].name)
    return scores, names
