"""What the map and the senses show, as rows of a table."""

from seqviz.views.embedding.questions import Answer
from seqviz.views.embedding.senses import Senses
from seqviz.views.embedding.word_map import WordMap

HEADER = ["pane", "item", "word", "quantity", "value"]


def word_rows(shown: WordMap, place: int) -> list[list]:
    """The neighbours of a word: cosines, and how many words lie nearer on the map."""
    words = shown.lexicon.words
    pane, rows = f"nearest to {words[place]}", []
    for rank, (k, cosine) in enumerate(zip(*shown.ten(place), strict=True), 1):
        rows.append([pane, str(rank), words[k], "cosine", cosine])
        rows.append([pane, str(rank), words[k], "words nearer", float(shown.nearer(place, k))])
    return rows


def answer_rows(shown: WordMap, answer: Answer) -> list[list]:
    """What is near a sum."""
    words = shown.lexicon.words
    pane = f"near {answer.question.text(words)}"
    items = [f"rank {rank}" if rank else "left out" for rank in answer.ranks]
    rows = zip(items, answer.ids, answer.cosines, strict=True)
    return [[pane, item, words[k], "cosine", float(cosine)] for item, k, cosine in rows]


def point_rows(shown: WordMap, groups: list[str]) -> list[list]:
    """Where each word of the map lies."""
    rows = []
    for k, group, point in zip(shown.ids, groups, shown.points, strict=False):
        word = shown.lexicon.words[k]
        rows += [["map", group, word, name, float(x)] for name, x in zip("xy", point, strict=True)]
    return rows


def senses_rows(word: str, senses: Senses, layer: int) -> list[list]:
    """How many are right by layer; of one layer, the points and the nearest."""
    rows = [
        ["right by layer", f"layer {k}", word, "sentences", float(n)]
        for k, n in enumerate(senses.right)
    ]
    rows.append(["right by layer", "by chance", word, "sentences", float(senses.chance)])
    for k, tokens in enumerate(senses.sentences):
        pane, text = f"layer {layer}: {senses.names[senses.sense[k]]}", " ".join(tokens)
        x, y = senses.points[layer, k].tolist()
        rows += [[pane, str(k + 1), text, name, value] for name, value in (("x", x), ("y", y))]
        rows += [
            [pane, str(k + 1), text, f"cosine with its nearest, {j + 1}",
             float(senses.cosines[layer, k, j])]
            for j in senses.nearest(layer, k)
        ]  # fmt: skip
    return rows
