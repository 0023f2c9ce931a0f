"""Teach the small BERT of notebook 17 about pairs of sentences: do they follow, in which order?

It starts from the masked net of `datasets/facts_bert` and goes on with both losses, as BERT and
ALBERT do: masked words, and what [CLS] says of the pair. False neighbours come from anywhere, or
from the same topic and with the same frame, so that shared words do not give them away.

Run `python notebooks/studies/17_pairs.py`; it writes 17_pairs.csv beside itself, a row for each
moment of a training. With `--ablation` it writes 17_ablation.csv in its place: 1,000 steps more on
pairs with strangers from anywhere, with both losses or with masked words alone. Which hidden words
does the net then know, and how well does it learn another task of pairs, sentence order?
"""

import csv
import importlib.util
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F

import seqviz as sv

HERE = Path(__file__).parent


def from_anywhere(paragraphs: list, seed: int) -> list[sv.data.SentencePair]:
    """The pairs of "next sentence", with false neighbours from any paragraph."""
    draw = random.Random(seed)
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph.sentences]
    return [
        replace(pair, second=draw.choice(sentences)) if pair.label else pair
        for pair in sv.data.next_sentence_pairs(paragraphs, seed)
    ]


TASKS = {
    "next sentence, strangers from anywhere": from_anywhere,
    "next sentence": sv.data.next_sentence_pairs,
    "sentence order": sv.data.sentence_order_pairs,
}
TRAINING = {"batch": 16, "steps": 1000, "lr": 1e-3, "rate": 0.15}
MOMENTS = 4
TESTED = 1000  # pairs
SEEDS = range(3)
LOSSES = {"masked words and next sentence": (1.0, 1.0), "masked words alone": (1.0, 0.0)}
LABELLED = 1000  # pairs of the task that comes after
SPEC = importlib.util.spec_from_file_location("masking_study", HERE / "17_masking.py")
MASKING = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(MASKING)


def start(pieces: sv.data.WordPiece, seed: int) -> sv.nn.BERTForPreTraining:
    """The masked net, with a new pooler and a new head for pairs."""
    torch.manual_seed(seed)
    options = {"hidden_dropout_prob": 0, "attention_probs_dropout_prob": 0}
    model = sv.nn.BERTForPreTraining(sv.nn.BERT(len(pieces), **MASKING.NET, **options))
    for weight in (model.bert.pooler.weight, model.seq_relationship.weight):
        torch.nn.init.normal_(weight, std=0.1)
    saved, *_ = sv.data.load_weights("facts_bert")
    known = {
        name.removeprefix("both sides."): weight
        for name, weight in saved.items()
        if name.startswith("both sides.")
    }
    model.load_state_dict(known, strict=False)
    return model


def encoded(pairs: list, pieces: sv.data.WordPiece) -> list:
    """Pairs as the net reads them, each with its label."""
    return [
        (pieces.encode(" ".join(pair.first), " ".join(pair.second)), pair.label) for pair in pairs
    ]


def by_overlap(pairs: list) -> float:
    """The best that counting shared words can do on these pairs."""
    counts = defaultdict(lambda: [0, 0])
    for pair in pairs:
        counts[len({*pair.first} & {*pair.second})][pair.label] += 1
    return sum(map(max, counts.values())) / len(pairs)


@torch.no_grad()
def accuracy(model: sv.nn.BERTForPreTraining, rows: list, pieces: sv.data.WordPiece) -> float:
    """Share of pairs that [CLS] gets right."""
    right = 0
    for k in range(0, len(rows), 50):
        texts, labels = zip(*rows[k : k + 50], strict=True)
        said = model(*pieces.pad(texts)[:3]).seq_relationship_logits.argmax(-1)
        right += (said == torch.tensor(labels)).sum().item()
    return right / len(rows)


def steps_of(
    model: sv.nn.BERTForPreTraining,
    rows: list,
    pieces: sv.data.WordPiece,
    draw: torch.Generator,
    losses: tuple[float, float] = (1.0, 1.0),
) -> Iterator[int]:
    """Train, with so much of the loss of masked words and of that of pairs; yield each step."""
    optimizer = torch.optim.AdamW(model.parameters(), TRAINING["lr"], fused=True)
    options = {"special": pieces.special_ids, "generator": draw}
    options["probability"] = TRAINING["rate"] * bool(losses[0])
    for step in range(TRAINING["steps"] + 1):
        yield step
        optimizer.param_groups[0]["lr"] = TRAINING["lr"] * (1 - step / (TRAINING["steps"] + 1))
        take = torch.randint(len(rows), (TRAINING["batch"],), generator=draw).tolist()
        texts, labels = zip(*(rows[i] for i in take), strict=True)
        batch = pieces.pad(texts)
        inputs, words, _ = sv.data.mask_tokens(
            batch.input_ids, pieces.mask_id, pieces.ordinary_ids, **options
        )
        logits, relation = model(inputs, batch.attention_mask, batch.token_type_ids)
        of_words, of_pairs = losses
        loss = of_pairs * F.cross_entropy(relation, torch.tensor(labels))
        if of_words:
            loss = F.cross_entropy(logits.mT, words) + loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def rows_of(task: str, seed: int, facts: sv.data.Dataset, pieces: sv.data.WordPiece) -> list[dict]:
    """Train once; a row for each moment. The pairs of the test are the same for all seeds."""
    train, test = TASKS[task](facts.train, seed), TASKS[task](facts.test, 0)[:TESTED]
    rows, asked = encoded(train, pieces), encoded(test, pieces)
    model, draw = start(pieces, seed), torch.Generator().manual_seed(seed)
    found, began = [], time.process_time()
    for step in steps_of(model, rows, pieces, draw):
        if step % (TRAINING["steps"] // MOMENTS) == 0:
            seconds = time.process_time() - began
            right = accuracy(model, asked, pieces)
            found.append(
                {"task": task, "step": step, "accuracy": f"{right:.4f}"}
                | {"overlap": f"{by_overlap(test):.4f}", "pairs": len(train)}
                | {"seed": seed, "seconds": f"{seconds:.1f}", **TRAINING, **MASKING.VERSIONS}
            )
            print(task, seed, step, right, flush=True)
    return found


def ablated(losses: str, seed: int, facts: sv.data.Dataset, pieces: sv.data.WordPiece) -> dict:
    """Pre-train further with these losses, then learn sentence order from a few labelled pairs."""
    model, draw = start(pieces, seed), torch.Generator().manual_seed(seed)
    began = time.process_time()
    rows = encoded(from_anywhere(facts.train, seed), pieces)
    for _ in steps_of(model, rows, pieces, draw, LOSSES[losses]):
        pass
    tested = MASKING.corpus()[2][:150]
    with torch.no_grad():
        known = MASKING.accuracies(lambda *ids: model(*ids)[0], tested, pieces)["known"]
    order = sv.data.sentence_order_pairs
    rows, asked = (
        encoded(order(part, seed=0)[:count], pieces)
        for part, count in ((facts.train, LABELLED), (facts.test, TESTED))
    )
    for _ in steps_of(model, rows, pieces, draw, (0.0, 1.0)):
        pass
    right, seconds = accuracy(model, asked, pieces), time.process_time() - began
    print(losses, seed, known, right, flush=True)
    return {"losses": losses, "seed": seed, "known": f"{known:.4f}", "order": f"{right:.4f}"} | {
        "labelled": LABELLED,
        "seconds": f"{seconds:.1f}",
        **TRAINING,
        **MASKING.VERSIONS,
    }


def written(table: list[dict], name: str) -> None:
    """Write a table beside this file."""
    with HERE.joinpath(name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def main() -> None:
    """Write the table, or that of the ablation."""
    torch.set_num_threads(1)
    facts, table = sv.data.load("facts"), []
    pieces = MASKING.dictionary(facts.train)
    if "--ablation" in sys.argv:
        runs = product(LOSSES, SEEDS)
        written([ablated(*run, facts, pieces) for run in runs], "17_ablation.csv")
        return
    for task, seed in product(TASKS, SEEDS):
        table += rows_of(task, seed, facts, pieces)
        written(table, "17_pairs.csv")


if __name__ == "__main__":
    main()
