"""Which states, carried over alone from another text, move the state of *it*, and the control.

The encoder is all-MiniLM-L6-v2 (6 layers of 12 heads, BERT's architecture). This text is "The
animal didn't cross the street because it was too tired." The other one has *wide* for *tired*, or
*child* for *animal*. One state of the other text (after each layer, at each token), or what one
head takes from the values at *it*, is put in its place here. How far does the last state of *it*
then go, along the way from this text's to the other's? 0: not at all, 1: the whole way. A state may
push it elsewhere as well: `moved` is how far it went in any direction, in lengths of that way.

The control puts 20 others in the same place: states of 10 other tokens of the other text, and those
of the same place in 10 texts of the other's words in another order.

Run `python notebooks/studies/explore_cause.py`; it writes explore_cause.csv beside itself, a row
for each state and each head that was carried.
"""

import csv
import platform
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

import seqviz as sv

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
TEXT = "The animal didn't cross the street because it was too tired."
OTHERS = {"wide": ("tired", "wide"), "child": ("animal", "child")}
ASKED = "it"
EACH = 10  # other places, and as many shuffled texts
SEED = 0
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


class Carrier:
    """Carries states of another text into this one, and says how far *it* goes."""

    def __init__(self, net: sv.nn.BERT, pieces: sv.data.WordPiece, other: str):
        self.net, self.draw = net, random.Random(SEED)
        this = pieces.encode(TEXT)
        self.ids, self.tokens = this.ids, this.tokens
        self.asked = self.tokens.index(ASKED)
        self.other = pieces.encode(other).ids
        self.texts = torch.stack([self.other, *(self._shuffled() for _ in range(EACH))])
        with sv.record(net, keep=("states", "contexts")) as rec:
            last = net(self.texts).last_hidden_state
        ((states,),) = rec.states.values()
        self.states = torch.tensor(states.values)  # (stage, text, token, unit)
        self.contexts = torch.stack(
            [torch.tensor(call.values) for (call,) in rec.contexts.values()]
        )  # (layer, text, head, token, unit)
        self.start = net(self.ids[None]).last_hidden_state[0, self.asked]
        self.way = last[0, self.asked] - self.start

    def _shuffled(self) -> Tensor:
        """The other text with its words in another order; the special tokens stay."""
        inner = self.other[1:-1].tolist()
        self.draw.shuffle(inner)
        return torch.tensor([self.other[0], *inner, self.other[-1]])

    def controls(self, found: Tensor, token: int) -> tuple[Tensor, Tensor]:
        """What else is put there: of other tokens; of shuffled texts with another word there."""
        places = [k for k in range(len(self.tokens)) if k != token]
        words = self.texts[:, token]
        special = token in (0, len(self.tokens) - 1)  # these stay
        shuffles = [k for k in range(1, EACH + 1) if special or words[k] != words[0]]
        return found[0, self.draw.sample(places, EACH)], found[shuffles, token]

    def share(self, found: Tensor, token: int, **where) -> dict[str, str]:
        """How far *it* goes with the state of (text, token), and with the others."""
        others = self.controls(found, token)
        batch = torch.cat([found[:1, token], *others])[:, None]
        with sv.patch(self.net, token=token, value=batch, **where):
            last = self.net(self.ids.expand(len(batch), -1)).last_hidden_state
        went = last[:, self.asked] - self.start
        shares = went @ self.way / self.way.norm() ** 2
        moved = went.norm(dim=-1) / self.way.norm()
        told = {"share": f"{shares[0]:.4f}", "moved": f"{moved[0]:.4f}"}
        first = 1
        for name, other in zip(("places", "shuffles"), others, strict=True):
            part = slice(first, first + len(other))
            first = part.stop
            told |= {name: len(other), f"{name}_least": f"{shares[part].min():.4f}"}
            told[f"{name}_mean"] = f"{shares[part].mean():.4f}"
            told[f"{name}_most"] = f"{shares[part].max():.4f}"
            told[f"{name}_moved"] = f"{moved[part].mean():.4f}"
        return told


def rows(net: sv.nn.BERT, pieces: sv.data.WordPiece, pair: str) -> Iterator[dict]:
    """A row for each state, and one for each head at *it*."""
    carrier = Carrier(net, pieces, TEXT.replace(*OTHERS[pair]))
    for stage, states in enumerate(carrier.states):
        for token, word in enumerate(carrier.tokens):
            layer = stage - 1 if stage else "embeddings"
            yield {"other": pair, "layer": layer, "head": "", "token": token, "word": word} | (
                carrier.share(states, token, layer=layer)
            )
    for layer, contexts in enumerate(carrier.contexts):
        for head, found in enumerate(contexts.transpose(0, 1)):
            place = {"token": carrier.asked, "word": ASKED}
            yield (
                {"other": pair, "layer": layer, "head": head}
                | place
                | (carrier.share(found, carrier.asked, layer=layer, head=head))
            )


def main() -> None:
    """Write the table."""
    sv.setup(seed=SEED)
    torch.set_num_threads(1)  # its passes are small
    net = sv.nn.BERT.from_pretrained(MODEL).eval()
    pieces, table = sv.data.WordPiece.from_vocab(sv.nn.find_vocabulary(MODEL)), []
    for pair in OTHERS:
        began = time.perf_counter()
        with torch.no_grad():
            found = list(rows(net, pieces, pair))
        seconds = f"{time.perf_counter() - began:.0f}"
        table += [
            row | {"seed": SEED, "seconds": seconds, "model": MODEL, **VERSIONS} for row in found
        ]
    with Path(__file__).with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


if __name__ == "__main__":
    main()
