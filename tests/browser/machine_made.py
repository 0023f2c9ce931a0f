"""Models that nobody made: facts of any sizes, for what a picture must have room for."""

CHANCES = [["positive", 0.64], ["negative", 0.2], ["mixed", 0.1], ["unbelievable", 0.06]]
BASE = {"blocks": 12, "heads": 12, "width": 768, "tokens": 128}
MADE = {
    "BERT base": BASE,
    "GPT-2": BASE | {"pre": True, "causal": True},
    "Llama": {"blocks": 6, "heads": 8, "tokens": 30, "pre": True, "causal": True, "gated": True},
    "wide heads": {"heads": 40, "width": 640, "tokens": 150},
    "BART": {"blocks": 6, "heads": 12, "width": 768, "tokens": 40, "source": 60},
    "T5": {"tokens": 7, "source": 9, "pre": True, "causal": True, "gated": True},
    "span": {"span": True, "blocks": 6, "heads": 12, "width": 384, "tokens": 20},
    "one row": {"classes": True, "row": -1, "tokens": 9},
    "classes": {"classes": True, "padded": True, "heads": 1, "width": 16, "tokens": 5},
    "box": {"box": True, "tokens": 12, "mute": True},
    "two tokens": {"tokens": 2, "blocks": 1, "silent": [[0, 2]]},
}


class Made:
    """What a view is told of such a model.

    `kind` may say pre (norms before), causal or padded (a mask), gated, box (a convolution in each
    block), classes (one answer for the text, of one `row`), span, mute (no answer), silent heads.
    """

    def __init__(self, blocks=2, heads=4, width=64, tokens=12, source=0, **kind):
        self.blocks, self.heads, self.width, self.source = blocks, heads, width, source
        self.kind, self.shapes = {"pre": False, "gated": False, "causal": False} | kind, {}
        streams = [self.stream("encoder", "source", source)] if source else []
        streams += [
            self.stream("decoder" if source else "", "target" if source else "source", tokens)
        ]
        words = [f"{word}{k}" for k, word in enumerate(["one", "internationalization", "."] * 50)]
        rows = 1 if kind.get("classes") else tokens
        said = "text" if kind.get("classes") else "span" if kind.get("span") else "tokens"
        anatomy = {"streams": streams, "logits": None, "probabilities": said}
        self.facts = {
            "anatomy": anatomy | {"row": kind.get("row")},
            "graph": {"weights": {}, "nodes": []},
            "shapes": self.shapes,
            "sizes": {"width": width, "heads": heads, "blocks": blocks},
            "tokens": {"source": words[: source or tokens], "target": words[:tokens]},
            "answers": None if kind.get("mute") else self.answers(rows),
            "lens": None if kind.get("mute") else [[CHANCES[0]] * rows] * (blocks + 1),
            "spans": [[3, 3, 0.2]] * blocks + [[5, 8, 0.6]] if kind.get("span") else None,
            "classes": ["start", "end"] if kind.get("span") else None,
            "silent": kind.get("silent", []),
            "causal": self.kind["causal"],
            "run": "0",
        }

    def answers(self, rows):
        """A span of 5 to 8; else at all tokens the same."""
        if not self.kind.get("span"):
            return [CHANCES] * rows
        return [
            sorted([["start", float(k == 5)], ["end", 0.9 * (k == 8)]], key=lambda one: -one[1])
            for k in range(rows)
        ]

    def place(self, name, rows, of=1):
        self.shapes[name] = [1, rows, of * self.width]
        return {"node": name, "token": 1, "head": None, "number": 2}

    def by_head(self, name, rows):
        self.shapes[name] = [1, self.heads, rows, self.width // self.heads]
        return {"node": name, "token": 2, "head": 1, "number": 3}

    def stream(self, side, which, rows):
        x = start = self.place(f"{side} x", rows)
        whats = ["self", *["cross"] * (side == "decoder"), *["box"] * ("box" in self.kind), "feed"]
        blocks = []
        for number in range(self.blocks):
            parts = []
            for what in whats:
                parts.append(self.part(f"{side} {number} {what}", what, x, rows))
                x = parts[-1]["post"] or parts[-1]["after"]
            blocks.append({"number": number, "parts": parts, "end": x})
        names = ("token", "position")
        return {
            "side": side,
            "tokens": which,
            "embedded": [{"name": n, "place": self.place(f"{side} {n}", rows)} for n in names],
            "norm": None,
            "start": start,
            "blocks": blocks,
            "end": x,
            "last": self.last(side, rows, x),
        }

    def last(self, side, rows, x):
        if "row" in self.kind:
            self.shapes["pooled"] = [1, self.width]
            return {"node": "pooled", "token": None, "head": None, "number": 1}
        return self.place(f"{side} last", rows) if self.kind["pre"] else x

    def part(self, name, what, x, rows):
        pre = self.kind["pre"]
        part = {
            "is": what,
            "name": "Conv1d",
            "before": x,
            "norm": self.place(f"{name} norm", rows) if pre else None,
            "update": self.place(f"{name} update", rows),
            "after": self.place(f"{name} after", rows),
            "post": None if pre else self.place(f"{name} post", rows),
        }
        if what == "feed":
            act = self.place(f"{name} act", rows, 4)
            part |= {"name": "GELU", "up": self.place(f"{name} up", rows, 4), "act": act}
            gated = self.kind["gated"]
            part["gate"] = self.place(f"{name} gate", rows, 4) if gated else None
            part["hidden"] = self.place(f"{name} hidden", rows, 4) if gated else act
        elif what != "box":
            part |= self.attention(name, rows, what == "cross")
        return part

    def attention(self, name, rows, crosses):
        keys, maps = self.source if crosses else rows, f"{name} weights"
        self.shapes[maps] = [1, self.heads, rows, keys]
        masked = self.kind["causal"] or "padded" in self.kind
        sides = {"query": rows, "key": keys, "value": keys, "context": rows}
        return {
            **{role: self.by_head(f"{name} {role}", count) for role, count in sides.items()},
            **dict.fromkeys(("scores", "masked", "softmax", "weights"), maps),
            **{"is": "attention", "cross": crosses, "attention": 0, "heads": self.heads},
            **{"scale": 4.0, "mask": "mask" if masked and not crosses else ""},
            "maps": {"head": 1, "query": 2, "key": 3},
        }
