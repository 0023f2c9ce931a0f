"""Train the translators of notebook 08: six scores and none, two wirings, three seeds each.

Six seeds of the net of the notebook. The net without attention gives c to the cell, as Bahdanau's
wiring does: the two differ in attention alone.

Run `python notebooks/studies/08_scores.py`; it writes 08_scores.csv (how right, how well aligned)
and 08_maps.csv (the weights of each score for the decks' sentence) beside itself.
"""

import csv
import platform
import time
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv

NET = {"embed_dim": 64, "hidden_size": 128}
TRAINING = {"batch": 64, "steps": 800, "lr": 0.014, "weight_decay": 0.58, "label_smoothing": 0.1}
SCORES = ("additive", "general", "dot", "scaled dot", "cosine", "location")
MAIN = ("additive", "luong", 0.1)  # score, wiring, share of hidden words
WARM = "cosine, temperature 1"
SEEDS, SEEDS_OF_MAIN = range(3), range(6)
LENGTHS = ((3, 5), (6, 10), (11, 15), (16, 20), (21, 25))  # English words
DECKS = "the agreement on the european economic area was signed in august 1992"
PADDING, START, STOP, UNKNOWN = range(4)
ADJECTIVES = {
    *("small", "large", "great", "long", "first", "young", "new", "old", "beautiful", "important"),
    *("famous", "secret", "red", "white", "common", "european", "french", "german", "italian"),
    *("international", "economic", "political", "military", "agricultural", "financial", "social"),
}
SINGULARS = {  # of the nouns whose plural has more than an s
    **{"treaties": "treaty", "policies": "policy", "companies": "company", "cities": "city"},
    **{"universities": "university", "crises": "crisis", "heroes": "hero", "churches": "church"},
    **{"actresses": "actress", "men": "man", "women": "woman"},
}
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}

DATA = sv.data.load("en-fr")
ENGLISH = sv.data.sentence_vocabulary(pair.source for pair in DATA.train)
FRENCH = sv.data.sentence_vocabulary(pair.target for pair in DATA.train)


def translator(score: str, wiring: str) -> sv.nn.Seq2Seq:
    """A net that knows nothing yet."""
    attention = {"none": None, WARM: "cosine"}.get(score, score)
    model = sv.nn.Seq2Seq(
        len(ENGLISH),
        len(FRENCH),
        **NET,
        bidirectional=True,
        attention=attention,
        wiring=wiring,
        max_length=25 if attention == "location" else None,
    )
    if score == WARM:
        model.decoder.attention.score.log_temperature.requires_grad_(False).zero_()
    return model


def trained(score: str, wiring: str, hidden_words: float, seed: int) -> tuple:
    """A translator, trained once, and its history; the learning rate falls to 0.

    Cross-entropy with teacher forcing; some of the words that the decoder reads are hidden.
    """

    def loss(model: sv.nn.Seq2Seq, batch: tuple[Tensor, Tensor]) -> Tensor:
        source, target = batch
        read = target[:, :-1]
        hidden = (torch.rand(read.shape) < hidden_words) & (read > START)
        read = read.masked_fill(hidden, UNKNOWN)
        smoothing = {"label_smoothing": TRAINING["label_smoothing"]}
        logits = model(source, read)
        return F.cross_entropy(logits.mT, target[:, 1:], ignore_index=PADDING, **smoothing)

    torch.manual_seed(seed)
    model = translator(score, wiring)
    batches = sv.data.pair_batches(DATA.train, ENGLISH, FRENCH, TRAINING["batch"])
    parameters = [p for p in model.parameters() if p.requires_grad]
    adam = torch.optim.AdamW(
        parameters, lr=TRAINING["lr"], weight_decay=TRAINING["weight_decay"], fused=True
    )
    steps = TRAINING["steps"]
    falling = torch.optim.lr_scheduler.LambdaLR(adam, lambda k: 1 - k / steps)
    history = sv.training.fit(
        model,
        loss,
        batches,
        steps,
        optimizer=adam,
        clip_norm=1.0,
        progress=False,
        on_step=lambda *_: falling.step(),
    )
    return model.eval(), history


def sources(pairs: Sequence) -> Tensor:
    """English sentences as ids (batch, time), padded."""
    return pad_sequence(
        [sv.data.encode_sentence(ENGLISH, pair.source) for pair in pairs], batch_first=True
    )


@torch.no_grad()
def exact(model: sv.nn.Seq2Seq, pairs: Sequence) -> Tensor:
    """Whether each translation, written freely and greedily, is right word for word: (batch,)."""
    state = model.encode(sources(pairs))
    written = sv.decoding.greedy(model.step, [[START]] * len(pairs), 40, state=state, stop=STOP)
    right = [sv.data.encode_sentence(FRENCH, [*p.target, "<stop>"]).tolist() for p in pairs]
    return torch.tensor([a == b for a, b in zip(written, right, strict=True)])


@torch.no_grad()
def weights_of(model: sv.nn.Seq2Seq, pairs: Sequence) -> Tensor:
    """Weights (batch, steps, time) at each word of the right translation, given those before."""
    read = [sv.data.encode_sentence(FRENCH, ["<start>", *p.target[:-1]]) for p in pairs]
    return model(sources(pairs), pad_sequence(read, batch_first=True), need_weights=True)[1]


def aligned(model: sv.nn.Seq2Seq, pairs: Sequence) -> dict:
    """How well each French word's largest weight fits the links, and how large it is."""
    alpha = weights_of(model, pairs)  # (batch, steps, time)
    best = alpha.argmax(dim=2).tolist()
    links = [{(t, best[k][t]) for t in range(len(p.target))} for k, p in enumerate(pairs)]
    sure, possible = [p.sure for p in pairs], [p.possible for p in pairs]
    words = sum(len(p.target) for p in pairs)
    hits = sum(len(one & p.possible) for one, p in zip(links, pairs, strict=True))
    strongest = sum(alpha[k, : len(p.target)].amax(dim=1).sum() for k, p in enumerate(pairs))
    return {
        "hit": f"{hits / words:.4f}",
        "error_rate": f"{sv.metrics.alignment_error_rate(links, sure, possible):.4f}",
        "strongest": f"{strongest.item() / words:.4f}",
    }


def deck_of(model: sv.nn.Seq2Seq) -> dict:
    """Whether the decks' sentence comes out right, and which of its words are off the links."""
    (deck,) = [pair for pair in DATA.test if " ".join(pair.source) == DECKS]
    found = {"deck_right": bool(exact(model, [deck]))}
    if model.decoder.attention is None:
        return {**found, "deck_misses": ""}
    best = weights_of(model, [deck])[0].argmax(dim=1).tolist()
    missed = [(t, i) for t, i in enumerate(best) if (t, i) not in deck.possible]
    return {
        **found,
        "deck_misses": " ".join(f"{deck.target[t]}:{deck.source[i]}" for t, i in missed),
    }


def together(words: Sequence[str]) -> set[tuple[str, str, str]]:
    """Every two adjectives that stand before the same noun, with it, in an English sentence."""
    found, adjectives = set(), []
    for word in words:
        if word in ADJECTIVES:
            adjectives.append(word)
            continue
        regular = word if word in SINGULARS.values() else word.removesuffix("s")
        found |= {(*two, SINGULARS.get(word, regular)) for two in combinations(adjectives, 2)}
        adjectives = []
    return found


def unseen(pairs: Sequence) -> Tensor:
    """Whether a pair holds two adjectives with a noun that no training sentence has together."""
    known = set().union(*(together(pair.source) for pair in DATA.train))
    return torch.tensor([not together(pair.source) <= known for pair in pairs])


def measured(model: sv.nn.Seq2Seq, score: str) -> dict:
    """How a translator does on the test part."""
    test = DATA.test
    right, new = exact(model, test).float(), unseen(test)
    lengths = torch.tensor([len(pair.source) for pair in test])
    by_length = [right[(lengths >= a) & (lengths <= b)].mean().item() for a, b in LENGTHS]
    nothing = dict.fromkeys(("hit", "error_rate", "strongest"), "")
    cosine = score in ("cosine", WARM) and model.decoder.attention.score
    return {
        "exact": f"{right.mean().item():.4f}",
        "exact_seen": f"{right[~new].mean().item():.4f}",
        "exact_unseen": f"{right[new].mean().item():.4f}",
        "exact_by_length": " ".join(f"{e:.4f}" for e in by_length),
        **(nothing if score == "none" else aligned(model, test)),
        "temperature": f"{cosine.log_temperature.exp().item():.4f}" if cosine else "",
        **deck_of(model),
    }


def row(score: str, wiring: str, hidden_words: float, seed: int) -> tuple[dict, list[dict]]:
    """Train once and measure; with it, the weights for the decks' sentence.

    The seconds are those that the processor spent on training, on one thread.
    """
    began = time.process_time()
    model, history = trained(score, wiring, hidden_words, seed)
    seconds = time.process_time() - began
    found = {
        "score": score,
        "wiring": wiring,
        "hidden_words": hidden_words,
        "seed": seed,
        **NET,
        **TRAINING,
        "loss": f"{sum(history.loss[-50:]) / 50:.4f}",
        "exact_val": f"{exact(model, DATA.val).float().mean().item():.4f}",
        **measured(model, score),
        "seconds": f"{seconds:.1f}",
        **VERSIONS,
    }
    return found, [] if score == "none" else map_of(model, score, seed)


def map_of(model: sv.nn.Seq2Seq, score: str, seed: int) -> list[dict]:
    """Weights of each word of the decks' sentence in French."""
    (deck,) = [pair for pair in DATA.test if " ".join(pair.source) == DECKS]
    alpha = weights_of(model, [deck])[0]  # (steps, time)
    return [
        {
            "score": score,
            "seed": seed,
            "word": word,
            "weights": " ".join(f"{a:.5f}" for a in weights),
            **VERSIONS,
        }
        for word, weights in zip(deck.target, alpha.tolist(), strict=True)
    ]


def grid() -> list[tuple[str, str, float]]:
    """What differs between the nets that are trained; MAIN is the first of them."""
    return [
        *((score, *MAIN[1:]) for score in SCORES),
        (WARM, *MAIN[1:]),
        ("additive", "bahdanau", MAIN[2]),
        ("none", "bahdanau", MAIN[2]),
        ("additive", "luong", 0.0),
    ]


def write(name: str, rows: list[dict]) -> None:
    """Write a table beside this file."""
    path = Path(__file__).with_name(name)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Write the tables."""
    sv.setup(seed=0)
    rows, maps = [], []
    for net in grid():
        for seed in SEEDS_OF_MAIN if net == MAIN else SEEDS:
            found, weights = row(*net, seed)
            print(*net, seed, found["exact_val"], found["seconds"], flush=True)
            rows.append(found)
            if seed == 0 and net[0] in SCORES and net[1:] == MAIN[1:]:
                maps += weights
            write("08_scores.csv", rows)
            write("08_maps.csv", maps)


if __name__ == "__main__":
    main()
