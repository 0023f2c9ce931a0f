"""Films for `view.regions`: shapes painted by NumPy, scikit-learn's real handwritten digits."""

from functools import cache

import numpy as np

COLOURS = {
    "red": (0.75, 0.1, 0.18),
    "blue": (0.15, 0.36, 0.75),
    "green": (0.23, 0.7, 0.43),
    "yellow": (0.96, 0.8, 0.2),
}
GROUND = (0.85, 0.83, 0.8)
DIGITS = [str(k) for k in range(10)]


def painted(objects, side=64):
    """A picture of coloured shapes, and the box of each by its name."""
    picture, boxes = np.full((side, side, 3), GROUND), {}
    y, x = np.mgrid[:side, :side] + 0.5
    for colour, shape, cx, cy, half in objects:
        inside = {
            "circle": np.hypot(x - cx, y - cy) < half,
            "square": np.maximum(abs(x - cx), abs(y - cy)) < half,
            "triangle": (abs(x - cx) < (y - cy + half) / 2) & (abs(y - cy) < half),
        }[shape]
        picture[inside] = COLOURS[colour]
        boxes[f"{colour} {shape}"] = (cx - half, cy - half, cx + half, cy + half)
    return picture, boxes


def soft_weights(boxes, names, seed=0, rows=8, columns=8, side=64):
    """Weights like a network's: a soft hill over an object, or hardly any hill, and noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:rows, :columns] + 0.5
    found = []
    for name in names:
        hill = np.zeros((rows, columns))
        for one in () if name is None else (name,) if isinstance(name, str) else name:
            x0, y0, x1, y1 = np.array(boxes[one]) * columns / side
            far = ((x - (x0 + x1) / 2) / (x1 - x0)) ** 2 + ((y - (y0 + y1) / 2) / (y1 - y0)) ** 2
            hill += np.exp(-4 * far)
        logits = np.log(hill + 0.02) + rng.normal(size=(rows, columns)) * 0.4
        found.append(np.exp(logits) / np.exp(logits).sum())
    return np.array(found)


def alternatives(words, wrong=None, seed=1):
    """The word and two others, likeliest first; where it is wrong, the right one is second."""
    rng, others = np.random.default_rng(seed), ["blue", "yellow", "circle", "left"]
    rows = []
    for k, word in enumerate(words):
        second = (wrong or {}).get(k) or next(w for w in others if w != word)
        third = next(w for w in others if w not in (word, second))
        top = 0.57 if k in (wrong or {}) else rng.uniform(0.7, 0.97)
        rows.append([(word, top), (second, 0.7 * (1 - top)), (third, 0.2 * (1 - top))])
    return rows


def two_shapes():
    picture, boxes = painted([("red", "circle", 17, 30, 11), ("blue", "square", 46, 38, 10)])
    words = ["a", "red", "circle", "left", "of", "a", "blue", "square"]
    red, blue = boxes
    gold = [None, red, red, (red, blue), None, None, blue, blue]
    return {
        "title": "two shapes",
        "picture": picture,
        "words": words,
        "weights": soft_weights(boxes, gold),
        "boxes": boxes,
        "gold": gold,
        "wrong": {},
        "alternatives": alternatives(words),
    }


def wrong_word():
    picture, boxes = painted([("yellow", "triangle", 22, 18, 12), ("green", "circle", 46, 46, 11)])
    words = ["a", "blue", "circle", "below", "a", "yellow", "triangle"]
    yellow, green = boxes
    gold = [None, green, green, (green, yellow), None, yellow, yellow]
    wrong = {1: "green"}
    return {
        "title": "a new pair",
        "picture": picture,
        "words": words,
        "weights": soft_weights(boxes, gold, 3),
        "boxes": boxes,
        "gold": gold,
        "wrong": wrong,
        "alternatives": alternatives(words, wrong),
        "note": "Never saw this pair in training",
    }


def question():
    picture, boxes = painted([("red", "square", 16, 16, 9), ("green", "triangle", 46, 40, 13)])
    return {
        "picture": picture,
        "question": "what colour is the triangle ?",
        "words": ["green"],
        "weights": soft_weights(boxes, ["green triangle"], 5),
        "boxes": boxes,
        "gold": ["green triangle"],
        "wrong": {},
        "alternatives": [[("green", 0.91), ("red", 0.06), ("blue", 0.02), ("yellow", 0.01)]],
    }


def long_caption(count=14):
    """More words than have large cells, some twice; no boxes, a picture that is not square."""
    rng = np.random.default_rng(2)
    y, x = np.mgrid[:90, :140]
    picture = np.stack([x / 140, y / 90, (np.sin(x / 9) + 1) / 2], axis=-1) * 0.3
    words = ("a dog that runs after the red ball on the grass near a house " * 5).split()[:count]
    weights = rng.dirichlet(np.full(6 * 10, 0.2), count).reshape(count, 6, 10)
    return {"title": f"{count} words", "picture": picture, "words": words, "weights": weights}


@cache
def digits():
    """The real digits, 8 x 8, from 0 to 1, and their labels."""
    from sklearn.datasets import load_digits

    loaded = load_digits()
    return loaded.images / 16, loaded.target


def votes(images, labels, one, seen):
    """Probabilities of the digits by a vote of all others on the pixels that are seen."""
    far = (seen * (images - one) ** 2).sum(axis=(1, 2))
    votes = np.exp(-far / 0.12) * (far > 0)
    p = np.array([votes[labels == k].sum() for k in range(10)])
    return p / p.sum()


def glimpses(index=3, steps=6, size=3.0):
    """Each glimpse goes where those still in the vote differ most."""
    images, labels = digits()
    one, label = images[index], int(labels[index])
    unseen, windows, p = np.ones((8, 8)), [], []
    y, x = np.mgrid[:8, :8] + 0.5
    weights = np.full(len(images), 1 / len(images))
    for _ in range(steps):
        spread = np.tensordot(weights, (images - images.mean(0)) ** 2, 1) * unseen
        cy, cx = np.unravel_index(spread.argmax(), spread.shape)
        cx, cy = (
            np.clip(cx + 0.5, size / 2, 8 - size / 2),
            np.clip(cy + 0.5, size / 2, 8 - size / 2),
        )
        windows.append((cx, cy, size))
        across, down = (np.clip(size / 2 + 0.5 - abs(v - c), 0, 1) for v, c in ((x, cx), (y, cy)))
        unseen = unseen * (1 - across * down)
        far = ((1 - unseen) * (images - one) ** 2).sum(axis=(1, 2))
        weights = np.exp(-far / 0.12)
        weights /= weights.sum()
        p.append(votes(images, labels, one, 1 - unseen))
    return {
        "title": f"a {label}",
        "picture": one,
        "windows": np.array(windows),
        "probabilities": np.array(p),
        "classes": DIGITS,
        "label": label,
    }


def drawing(index=8, steps=8, classified=True):
    """A canvas that is written where most of a real digit is missing, coarse first."""
    images, labels = digits()
    target = np.kron(images[index], np.ones((3, 3)))
    side = len(target)
    y, x = np.mgrid[:side, :side] + 0.5
    canvas, canvases, windows, p = np.zeros_like(target), [], [], []
    for k in range(steps):
        size = max(6.0, side * 0.75**k)
        missing = np.abs(target - canvas)
        cy, cx = (np.average(v, weights=missing + 1e-9) for v in (y, x))
        if k > 1:
            cy, cx = np.array(np.unravel_index(missing.argmax(), missing.shape)) + 0.5
        window = np.exp(-(((x - cx) / size) ** 4 + ((y - cy) / size) ** 4) * 8)
        canvas = np.clip(canvas + 0.6 * window * (target - canvas), 0, 1)
        canvases.append(canvas)
        windows.append((cx, cy, size))
        small = canvas.reshape(8, 3, 8, 3).mean(axis=(1, 3))
        p.append(votes(images, labels, small, np.ones((8, 8))))
    film = {
        "title": f"a {labels[index]}",
        "canvases": canvases,
        "windows": windows,
        "target": target,
    }
    if classified:
        film |= {"probabilities": p, "classes": DIGITS, "label": int(labels[index])}
    return film


def every_kind():
    """All films, as a lecture has them."""
    from seqviz.view import regions

    return regions(
        [two_shapes(), wrong_word(), long_caption(), question(), glimpses(27),
         glimpses(69), drawing(), drawing(5, classified=False)]
    )  # fmt: skip
