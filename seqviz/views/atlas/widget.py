"""Every head over many sentences: the view in Python."""

import io
import json

import numpy as np
import traitlets

from seqviz.files import write
from seqviz.telling import count
from seqviz.views.atlas.values import Found
from seqviz.views.shared.bundle import module
from seqviz.views.shared.checking import within
from seqviz.views.shared.codec import packed
from seqviz.views.shared.traits import Text, Whole, checks, control
from seqviz.views.shared.widget import View, style

SORTS = ("head", "kind", "x", "y", "usual")
FIRST_AXES = ("first", "distance")
NO_KIND = "none of these"


class Atlas(View):
    """Scores of heads and the sentences that show them; `atlas` builds it.

    Attributes
    ----------
    x, y : str
        The scores of the two axes: "previous", "next", "itself", "first", "separator",
        "punctuation", "same", "induction", "apart", "distance", "entropy", "evenness", "position",
        "usual" or "layer".
    head : str
        The head that is open, such as "2.1", layer and head; "" for all.
    kind : str
        The kind that is lit, "" for none.
    find : str
        What is looked for: a head, a kind, a score as in ``previous > .3``, a word of a sentence,
        or a link as in ``not -> dumb``; several, with commas, are all asked for.
    sort : str
        The column by which the list stands: "head", "kind", "x", "y" or "usual", from its other
        end with a minus in front.
    sentence : int
        Which sentence of a head is in focus, from 0.
    """

    _esm = module("atlas/view.js")
    _css = style("atlas/style.css")

    x = control(Text("first"))
    y = control(Text("distance"))
    head = control(Text(""))
    kind = control(Text(""))
    find = control(Text(""))
    sort = control(Text("head"))
    sentence = control(Whole(0))

    def __init__(self, found: Found, title: str, **controls) -> None:
        self.found = found
        names = found.heads
        self.axes = [
            name
            for name, column in zip(found.told["scores"], found.arrays["values"].T, strict=True)
            if not np.isnan(column).all()
        ] + ["layer"]
        rest = [name for name in self.axes if name not in FIRST_AXES]
        first = [name if name in self.axes else rest.pop() for name in FIRST_AXES]
        facts = {**found.told, "title": title, "names": names, "axes": self.axes}
        controls = {"x": first[0], "y": first[1], **controls}
        super().__init__(facts, {"atlas": packed(**found.arrays)}, ["atlas"], **controls)

    @checks("x", "y", "head", "kind", "sort", "sentence")
    def _checked(self, name: str, value):
        kinds = [one for one, *_ in self.found.told["kinds"]]
        known = {
            "x": self.axes,
            "y": self.axes,
            "head": ["", *self.found.heads],
            "kind": ["", *kinds, NO_KIND],
            "sort": [*SORTS, *(f"-{one}" for one in SORTS)],
        }
        if name == "sentence":
            return within(name, value, 0, len(self.found.told["ranks"]) - 1)
        if value not in known[name]:
            wanted = ", ".join(map(repr, known[name][:16]))
            more = " ..." if len(known[name]) > 16 else ""
            raise ValueError(f"{name}: expected one of {wanted}{more}; came {value!r:.60}")
        return value

    def _plain(self) -> str:
        told = self.found.told
        layers = len({layer for layer, _ in told["heads"]})
        heads = f"{count(len(told['heads']), 'head')} in {count(layers, 'layer')}"
        text = f"Atlas of {told['model']}: {heads} over {count(told['sentences'], 'sentence')}"
        return f"{text}; " + (f"head {self.head}" if self.head else f"{self.x} by {self.y}")

    def table(self) -> list[list]:
        """The scores of each head and of an even spread, "" where there is none; its kinds."""
        told, arrays = self.found.told, self.found.arrays
        places = [f"most to: {place}" for place in told["places"]]
        rows = [["head", "kinds", *told["scores"], *places]]

        def scores(values) -> list:
            return ["" if np.isnan(value) else float(value) for value in values]

        for k, name in enumerate(self.found.heads):
            most = [float(n) for n in arrays["most"][k]]
            kinds = ", ".join(self.found.kinds(k))
            rows.append([name, kinds, *scores(arrays["values"][k]), *most])
        return [*rows, ["even spread", "", *scores(arrays["even"]), *[""] * len(places)]]

    def save(self, path) -> None:
        """Write what was found as an npz, which ``sv.view.atlas(path)`` shows again."""
        told = json.dumps(self.found.told, separators=(",", ":")).encode()
        file = io.BytesIO()
        np.savez_compressed(file, **self.found.arrays, told=np.frombuffer(told, np.uint8))
        write(path, file.getvalue())

    @traitlets.observe("head")
    def _first_sentence(self, _) -> None:
        self.begin(sentence=0)
