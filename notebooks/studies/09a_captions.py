"""Captions with attention and without, and answers to questions: the figures of notebook 09a.

Captions and questions share their pictures, those of `sv.data.shape_questions`; the encoder is the
shipped one, frozen. Captions are written by a beam of width 4 and are right if they are one of the
true ones. "One each": in training each picture has only the first of its captions in the
alphabet, so that the picture decides which one is to be written. "No places": the vectors of the
regions do not say where they stand.

Run `python notebooks/studies/09a_captions.py` (some ten minutes); it writes 09a_captions.csv beside
itself, a row for each training; rows that are there are kept. The first net with attention writes
09a_maps.csv as well: the words of a few captions, and where each attended.
"""

import csv
import platform
import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv
from seqviz.nn.captioner import RegionDecoder

TABLE = Path(__file__).with_suffix(".csv")
SEEDS = range(3)
PICTURES, TESTED = 5000, 500
TEST, UNSEEN, QUESTIONS = {"seed": 1}, {"seed": 2, "unseen": True}, {"seed": 3}
CAPTION = {"steps": 1200, "lr": 6e-3, "batch": 64, "hidden": 96, "attention_dim": 32}
ANSWER = {"steps": 1000, "lr": 6e-3, "batch": 64, "hidden": 64}
EXPERIMENTS = {
    "caption, attention": CAPTION,
    "caption, mean of the regions": CAPTION,
    "caption, all regions in one vector": CAPTION,
    "caption, attention before the word is read": CAPTION,
    "caption, attention, no places": CAPTION,
    "caption, one each, attention": CAPTION,
    "caption, one each, attention before the word is read": CAPTION,
    "answer, attention": ANSWER,
    "answer, mean of the regions": ANSWER,
    "answer, no picture": ANSWER,
}
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}
MEASURES = (
    *("exact", "exact 2", "exact 3", "exact 4", "bleu", "unseen", "inside", "area"),
    "right",
)
COLUMNS = ("experiment", "seed", *sorted({k for e in EXPERIMENTS.values() for k in e}))
COLUMNS = (*COLUMNS, *MEASURES, "seconds", *VERSIONS)


def optimised(model: nn.Module, loss: Callable[[], Tensor], steps: int, lr: float) -> None:
    """Adam; the rate rises over a tenth of the steps, then falls along half a cosine."""
    adam = torch.optim.Adam(model.parameters(), lr)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, lr, steps, pct_start=0.1)
    for _ in range(steps):
        adam.zero_grad()
        loss().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        rate.step()
    model.eval()


@cache
def encoder() -> sv.nn.ConvEncoder:
    """The shipped net without its last layer."""
    weights, names, sizes = sv.data.load_weights("shapes_encoder")
    net = sv.nn.PictureClassifier(sv.nn.ConvEncoder(**sizes), len(names))
    net.load_state_dict(weights)
    return net.encoder.eval()


@torch.no_grad()
def regions_of(scenes: list[sv.data.Scene]) -> Tensor:
    """Regions of the scenes' pictures, (scenes, 64, numbers)."""
    parts = (scenes[k : k + 250] for k in range(0, len(scenes), 250))
    return torch.cat([encoder().regions(sv.data.pictures_of(part)) for part in parts])


@cache
def described(seed: int, unseen: bool = False) -> tuple[list[sv.data.Scene], Tensor]:
    """New scenes, and their regions."""
    scenes = sv.data.shapes(TESTED, seed, unseen)
    return scenes, regions_of(scenes)


@cache
def questioned(count: int, seed: int) -> tuple[list[sv.data.Asked], Tensor]:
    """Questions with their scenes, and the regions of these."""
    asked = sv.data.shape_questions(count, seed)
    return asked, regions_of([one.scene for one in asked])


class Before(RegionDecoder):
    """A decoder whose query has not yet read the word: s_{t-1} attends, then the GRU steps."""

    def forward(self, target, state):
        """Return the logits, alpha and the state, as `RegionDecoder` does."""
        hidden, found = state.hidden, []
        for y_t in self.embedding(target).unbind(dim=1):
            c, alpha = self.attention(hidden[-1], state.keys, state.padding, state.projected)
            _, hidden = self.rnn(torch.cat([y_t, c], dim=-1).unsqueeze(1), hidden)
            found.append((c, hidden[-1], alpha))
        c_all, s_all, alphas = (torch.stack(part, dim=1) for part in zip(*found, strict=True))
        state = state._replace(hidden=hidden, context=c, alpha=alpha)
        return self._said(c_all, s_all), alphas, state


class Squeezed(sv.nn.Captioner):
    """A captioner that reads one vector, a linear layer of all regions side by side."""

    def __init__(self, count: int, region_dim: int, *sizes: int):
        super().__init__(region_dim, *sizes, attention=None)
        self.squeeze = nn.Linear(count * region_dim, region_dim)

    def encode(self, source):
        """Take regions; return the state before the first step."""
        return super().encode(self.squeeze(source.flatten(1)).unsqueeze(1))


def captioner(name: str, region_dim: int, words: int) -> sv.nn.Captioner:
    """One of the nets that write captions."""
    sizes = (region_dim, words, 32, CAPTION["hidden"])
    if name == "caption, all regions in one vector":
        return Squeezed(64, *sizes)
    if name == "caption, mean of the regions":
        return sv.nn.Captioner(*sizes, attention=None)
    model = sv.nn.Captioner(*sizes, attention_dim=CAPTION["attention_dim"])
    if name.endswith("before the word is read"):
        model.decoder = Before(*sizes[:1], *sizes[1:], model.decoder.attention)
    return model


def encoded(words: tuple[str, ...], vocabulary: sv.data.Vocabulary) -> Tensor:
    """Numbers of a caption, START first and STOP last."""
    return vocabulary.encode(["<start>", *words, "<stop>"])


@torch.no_grad()
def written(model: sv.nn.Captioner, regions: Tensor, vocabulary: sv.data.Vocabulary) -> list[tuple]:
    """A caption for each picture, by a beam of width 4."""
    found = []
    for k in range(len(regions)):
        state = model.encode(regions[k : k + 1])
        tree = sv.decoding.beam(
            model.step, [1], 10, width=4, stop=2, state=state, select=model.select
        )
        found.append(tuple(vocabulary.decode([i for i in tree.best if i > 3])))
    return found


def inside(alpha: Tensor, box: tuple[int, ...]) -> float:
    """Share of alpha (64 regions of 8 x 8 pixels) that lies inside a box."""
    left, top, right, bottom = box
    pixels = alpha.view(8, 8).repeat_interleave(8, 0).repeat_interleave(8, 1) / 64
    return pixels[top:bottom, left:right].sum().item()


@torch.no_grad()
def pointed(model, regions: Tensor, scenes: list, captions: list, vocabulary) -> dict[str, float]:
    """Weight inside the named things' boxes while their colour and shape are said, and the area."""
    shares, areas = [], []
    for r, scene, words in zip(regions, scenes, captions, strict=True):
        if words not in scene.captions:
            continue
        _, alpha = model(r[None], encoded(words, vocabulary)[None, :-1], need_weights=True)
        for at in (1, len(words) - 2):
            (thing,) = [t for t in scene.things if t.name == " ".join(words[at : at + 2])]
            shares += [inside(alpha[0, at + k], thing.box) for k in (0, 1)]
            areas += [(2 * thing.radius / 64) ** 2] * 2
    return {"inside": sum(shares) / len(shares), "area": sum(areas) / len(areas)}


@torch.no_grad()
def write_maps(model, regions: Tensor, captions: list[tuple], vocabulary, count: int = 3) -> None:
    """Write what the first pictures' words attend to into 09a_maps.csv."""
    with TABLE.with_name("09a_maps.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["picture", "word", "weights"])
        for k, words in enumerate(captions[:count]):
            ids = encoded(words, vocabulary)[None, :-1]
            _, alpha = model(regions[k : k + 1], ids, need_weights=True)
            for word, row in zip(words, alpha[0], strict=False):
                writer.writerow([k, word, " ".join(f"{a:.4f}" for a in row.tolist())])


def caption_row(name: str, seed: int) -> dict[str, float]:
    """Train a net that writes captions, and measure it."""
    asked, regions = questioned(PICTURES, 0)
    kept = slice(-2 if name.endswith("no places") else None)  # the last two say where
    scenes, regions = [one.scene for one in asked], regions[..., kept]
    vocabulary = sv.data.sentence_vocabulary([c for scene in scenes for c in scene.captions])
    told = [[min(s.captions)] if "one each" in name else s.captions for s in scenes]
    captions = [[encoded(c, vocabulary) for c in part] for part in told]
    torch.manual_seed(seed)
    draw = random.Random(seed)
    model = captioner(name, regions.shape[-1], len(vocabulary))

    def loss() -> Tensor:
        rows = torch.randint(PICTURES, (CAPTION["batch"],))
        ids = pad_sequence([draw.choice(captions[k]) for k in rows.tolist()], batch_first=True)
        return F.cross_entropy(model(regions[rows], ids[:, :-1]).mT, ids[:, 1:], ignore_index=0)

    optimised(model, loss, CAPTION["steps"], CAPTION["lr"])
    found = {}
    for key, given in {"exact": TEST, "unseen": UNSEEN}.items():
        new, seen = described(**given)
        seen = seen[..., kept]
        said = written(model, seen, vocabulary)
        right = [words in scene.captions for words, scene in zip(said, new, strict=True)]
        found[key] = sum(right) / TESTED
        if key == "exact":
            for count in (2, 3, 4):
                of = [r for r, s in zip(right, new, strict=True) if len(s.things) == count]
                found[f"exact {count}"] = sum(of) / len(of)
            found["bleu"] = sv.metrics.bleu(said, [scene.captions[0] for scene in new])
            if model.decoder.attention is not None:
                found |= pointed(model, seen, new, said, vocabulary)
                if (name, seed) == ("caption, attention", 0):
                    write_maps(model, seen, said, vocabulary)
    return found


def answer_row(name: str, seed: int) -> dict[str, float]:
    """Train a net that answers questions, and measure it."""
    parts = {"train": questioned(PICTURES, 0), "test": questioned(TESTED, **QUESTIONS)}
    words = sv.data.sentence_vocabulary([a.words for a in parts["train"][0]])
    answers = sorted({a.answer for a in parts["train"][0]})
    ids, answer, regions = {}, {}, {}
    for part, (asked, seen) in parts.items():
        ids[part] = pad_sequence([words.encode(a.words) for a in asked], batch_first=True)
        answer[part] = torch.tensor([answers.index(a.answer) for a in asked])
        blank = name == "answer, no picture"
        regions[part] = torch.zeros_like(seen[:, :1]) if blank else seen
    torch.manual_seed(seed)
    attention = "additive" if name == "answer, attention" else None
    sizes = (regions["train"].shape[-1], len(words), len(answers), 32, ANSWER["hidden"])
    model = sv.nn.QuestionAnswerer(*sizes, attention=attention)

    def loss() -> Tensor:
        k = torch.randint(PICTURES, (ANSWER["batch"],))
        return F.cross_entropy(model(regions["train"][k], ids["train"][k]), answer["train"][k])

    optimised(model, loss, ANSWER["steps"], ANSWER["lr"])
    with torch.no_grad():
        said = model(regions["test"], ids["test"]).argmax(dim=1)
    return {"right": (said == answer["test"]).float().mean().item()}


MAKERS = {"caption": caption_row, "answer": answer_row}


def row_of(name: str, seed: int) -> dict[str, str]:
    """The row of one training."""
    began = time.process_time()
    found = MAKERS[name.split(",")[0]](name, seed)
    row = {"experiment": name, "seed": seed} | EXPERIMENTS[name] | VERSIONS
    row |= {key: f"{value:.4f}" for key, value in found.items()}
    return row | {"seconds": f"{time.process_time() - began:.0f}"}


def main() -> None:
    """Write the rows that are not there yet."""
    torch.set_num_threads(1)
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    there = {(row["experiment"], int(row["seed"])) for row in rows}
    for seed in SEEDS:
        for name in EXPERIMENTS:
            if (name, seed) in there:
                continue
            rows.append(row_of(name, seed))
            print(
                name,
                seed,
                {k: rows[-1][k] for k in (*MEASURES, "seconds") if k in rows[-1]},
                flush=True,
            )
            place = {name: k for k, name in enumerate(EXPERIMENTS)}
            rows.sort(key=lambda row: (place[row["experiment"]], int(row["seed"])))
            with TABLE.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


if __name__ == "__main__":
    main()
