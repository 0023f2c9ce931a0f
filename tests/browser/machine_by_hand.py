"""The anatomy of BERT and GPT by hand: goes as soon as seqviz/graphs/anatomy.py is there."""

import sys
import types


def by_hand(graph):
    nodes = {node.name: node for node in graph.nodes}

    def first(name):
        return next(a["value"] for a in nodes[name].arguments if isinstance(a, dict))

    def same(name):
        while nodes[name].op in ("view", "clone", "expand", "permute", "unsqueeze"):
            name = first(name)
        return name

    def place(name):
        if not name:
            return None
        shape = nodes[name].shape
        n = len(shape)
        return {"node": name, "token": n - 2, "head": None, "number": n - 1}

    def by_head(name, turned=False):
        token, number = (2, 1) if turned else (1, 2)
        return {"node": name, "token": token, "head": 0, "number": number}

    def product_of(name):  # the addmm that made a value
        return same(name)

    if not graph.roles.attentions:
        raise ValueError("by hand only with attention")
    stream = graph.roles.stream
    order = [node.name for node in graph.nodes]
    blocks = []
    for k in range(0, len(stream), 2):
        parts = []
        for block in stream[k : k + 2]:
            pre = block.norm and order.index(block.norm) < order.index(block.update)
            part = {
                "before": place(block.before),
                "norm": place(block.norm) if pre else None,
                "update": place(block.update),
                "after": place(block.after),
                "post": None if pre else place(block.norm),
            }
            if block.attends is not None:
                a = graph.roles.attentions[block.attends]
                masked = nodes[a.softmax].arguments[0]["value"]
                scaled = masked if nodes[masked].op == "div.Tensor" else first(masked)
                part |= {
                    "is": "attention",
                    "cross": False,
                    "attention": block.attends,
                    "heads": a.count,
                    "query": by_head(a.query),
                    "key": by_head(a.key, True),
                    "value": by_head(a.value),
                    "context": by_head(a.context),
                    "scores": a.scores,
                    "masked": masked,
                    "softmax": a.softmax,
                    "weights": a.weights,
                    "mask": a.mask,
                    "maps": {"head": a.heads, "query": a.heads + 1, "key": a.heads + 2},
                    "scale": nodes[scaled].arguments[1],
                    "path": a.path,
                }
            else:
                hidden = same(block.hidden)
                part |= {
                    "is": "feed",
                    "up": place(first(hidden)),
                    "gate": None,
                    "act": place(hidden),
                    "hidden": place(block.hidden),
                    "name": "GELU",
                    "path": nodes[hidden].module,
                }
            parts.append(part)
        end = parts[-1]["post"] or parts[-1]["after"]
        blocks.append({"number": k // 2, "parts": parts, "end": end})
    start = stream[0].before
    names = {"embedding": "token", "embedding_1": "segment", "slice_1": "position"}
    embedded = [{"name": n, "place": place(node)} for node, n in names.items() if node in nodes]
    norm = same(start)
    product = nodes[same(graph.roles.logits)]
    if product.op == "add.Tensor":
        product = nodes[same(first(product.name))]
    read = same([a["value"] for a in product.arguments if isinstance(a, dict)][-2])
    one = {
        "side": "",
        "tokens": "source",
        "embedded": embedded,
        "norm": place(norm) if nodes[norm].op == "sym.getitem" else None,
        "start": place(start),
        "blocks": blocks,
        "end": blocks[-1]["end"],
        "last": place(read),
    }
    told = {"streams": [one], "logits": place(graph.roles.logits), "probabilities": "tokens"}
    return types.SimpleNamespace(told=lambda: told)


try:
    import seqviz.graphs.anatomy as anatomies
except ImportError:
    anatomies = types.ModuleType("seqviz.graphs.anatomy")
    anatomies.anatomy_of = by_hand
    sys.modules["seqviz.graphs.anatomy"] = anatomies
