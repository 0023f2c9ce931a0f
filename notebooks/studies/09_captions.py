"""Captions with attention and without, questions, glimpses, drawings: the figures of notebook 09.

Captions and questions share their pictures, those of `sv.data.shape_questions`; the encoder is the
shipped one, frozen. Captions are written by a beam of width 4 and are right if they are one of the
true ones. "One each": in training each picture has only the first of its captions in the
alphabet, so that the picture decides which one is to be written. Digits are scikit-learn's
handwritten ones.

Run `python notebooks/studies/09_captions.py` (some ten minutes); it writes 09_captions.csv beside
itself, a row for each training; rows that are there are kept. The first net with attention writes
09_maps.csv as well: the words of a few captions, and where each attended.
"""

import csv
import platform
import random
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch
from sklearn.datasets import load_digits
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
GLIMPSE = {"steps": 800, "lr": 6e-3, "batch": 64, "window": 3, "glimpses": 3}
DRAW = {"steps": 500, "lr": 1e-2, "batch": 32, "window": 4, "pieces": 5, "hidden": 64, "latent": 4}
EXPERIMENTS = {
    "caption, attention": CAPTION,
    "caption, mean of the regions": CAPTION,
    "caption, all regions in one vector": CAPTION,
    "caption, attention before the word is read": CAPTION,
    "caption, one each, attention": CAPTION,
    "caption, one each, attention before the word is read": CAPTION,
    "answer, attention": ANSWER,
    "answer, mean of the regions": ANSWER,
    "answer, no picture": ANSWER,
    "glimpse, learned windows": GLIMPSE,
    "glimpse, the same windows for every picture": GLIMPSE,
    "drawing, KL times 0.1": DRAW,
    "drawing, KL times 1": DRAW,
}
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}
MEASURES = (
    *("exact", "exact 2", "exact 3", "exact 4", "bleu", "unseen", "inside", "area"),
    *("right", "seen", "named", "kl", "spread"),
)
COLUMNS = ("experiment", "seed", *sorted({k for e in EXPERIMENTS.values() for k in e}))
COLUMNS = (*COLUMNS, *MEASURES, "seconds", *VERSIONS)


def optimised(
    model: nn.Module, loss: Callable[[], Tensor], steps: int, lr: float, clip: float = 1.0
) -> None:
    """Adam; the rate rises over a tenth of the steps, then falls along half a cosine."""
    adam = torch.optim.Adam(model.parameters(), lr)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, lr, steps, pct_start=0.1)
    for _ in range(steps):
        adam.zero_grad()
        loss().backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
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
    """Write what the first pictures' words attend to into 09_maps.csv."""
    with TABLE.with_name("09_maps.csv").open("w", encoding="utf-8", newline="") as file:
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
    scenes = [one.scene for one in asked]
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


@cache
def digits() -> tuple[Tensor, Tensor]:
    """Pictures (1797, 8, 8) from 0 to 1 and their classes, in an order that is mixed once."""
    data = load_digits()
    order = torch.randperm(len(data.target), generator=torch.Generator().manual_seed(0))
    return torch.tensor(data.images).float()[order] / 16, torch.tensor(data.target)[order]


def digit_batch(size: int) -> tuple[Tensor, Tensor]:
    """Pictures and classes from the first 1,400."""
    pictures, classes = digits()
    rows = torch.randint(1400, (size,))
    return pictures[rows], classes[rows]


class Fixed(sv.nn.GlimpseClassifier):
    """Glimpses whose windows are learned, but alike for every picture."""

    def __init__(self, *given, **options):
        super().__init__(*given, **options)
        self.places = nn.Parameter(torch.zeros(self.steps, 3))

    def forward(self, pictures):
        """Read pictures; `where` gives the place of the step, whatever the state is."""
        steps = iter(self.places)
        self.where.forward = lambda h: next(steps).expand(len(h), 3)
        return super().forward(pictures)


def seen_share(glimpses, window: int, side: int = 8) -> float:
    """Share of a picture's pixels that the windows see, a pixel seen twice counted once."""
    rows = glimpses.windows.flatten(0, 1)
    F_X, F_Y = sv.nn.soft_windows.bells(rows, window, side, side)
    weight = F_Y.sum(1)[:, :, None] * F_X.sum(1)[:, None]  # (batch * steps, side, side)
    weight = weight.unflatten(0, glimpses.windows.shape[:2]).sum(dim=1)
    return weight.clamp(max=1).mean().item()


def glimpse_row(name: str, seed: int) -> dict[str, float]:
    """Train a net that names digits by glimpses, and measure it."""
    torch.manual_seed(seed)
    kind = sv.nn.GlimpseClassifier if name.endswith("learned windows") else Fixed
    model = kind(8, 10, window=GLIMPSE["window"], steps=GLIMPSE["glimpses"])

    def loss() -> Tensor:
        pictures, classes = digit_batch(GLIMPSE["batch"])
        said = model(pictures).logits
        every = classes[:, None].expand(-1, said.shape[1])
        return F.cross_entropy(said.mT, every)

    optimised(model, loss, GLIMPSE["steps"], GLIMPSE["lr"])
    pictures, classes = (x[1400:] for x in digits())
    with torch.no_grad():
        found = model(pictures)
    right = (found.logits[:, -1].argmax(dim=1) == classes).float().mean().item()
    return {"right": right, "seen": seen_share(found, GLIMPSE["window"])}


def judge() -> nn.Module:
    """A net that sees all of a digit, trained on the same pictures."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))

    def loss() -> Tensor:
        pictures, classes = digit_batch(64)
        return F.cross_entropy(net(pictures), classes)

    optimised(net, loss, 800, 3e-3)
    return net


def drawing_row(name: str, seed: int) -> dict[str, float]:
    """Train DRAW, let it draw 20 of each digit, and have them named."""
    by = judge()
    torch.manual_seed(seed)
    model = sv.nn.DRAW(8, 10, DRAW["window"], DRAW["pieces"], DRAW["hidden"], DRAW["latent"])
    factor = float(name.split()[-1])

    def loss() -> Tensor:
        pictures, classes = digit_batch(DRAW["batch"])
        drawing = model(pictures, classes)
        last = drawing.canvases[:, -1].clamp(1e-6, 1 - 1e-6)
        lacks = F.binary_cross_entropy(last, pictures, reduction="none").sum(dim=(1, 2))
        return (lacks + factor * drawing.kl).mean()

    optimised(model, loss, DRAW["steps"], DRAW["lr"], clip=5.0)
    wanted = torch.arange(10).repeat_interleave(20)
    last = model.draw(wanted).canvases[:, -1]
    pictures, classes = (x[1400:] for x in digits())
    with torch.no_grad():
        named = (by(last).argmax(dim=1) == wanted).float().mean().item()
        kl = model(pictures, classes).kl.mean().item()
    return {
        "named": named,
        "kl": kl,
        "spread": last.unflatten(0, (10, 20)).std(dim=1).mean().item(),
    }


MAKERS = {"caption": caption_row, "answer": answer_row, "glimpse": glimpse_row}
MAKERS["drawing"] = drawing_row


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
