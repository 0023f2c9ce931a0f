"""What the page of an explorer needs to run its model: graphs, tokenizers, where its maps are."""

from collections.abc import Mapping, Sequence

from torch import nn

from seqviz.exploring.matching import Seen, heads_of, largest_difference
from seqviz.exploring.passes import OneCall, StepByStep, written
from seqviz.exploring.reasons import pass_of, sources_of
from seqviz.graphs import packed, rounded
from seqviz.running.calling import Call, OneText
from seqviz.running.id_graphs import FORMS
from seqviz.running.machine_calls import NO_FUNCTION
from seqviz.running.runner import Runner
from seqviz.running.spelling import told_of
from seqviz.running.translation import Translation, Translator
from seqviz.views.attention.widget import AttentionExplorer
from seqviz.views.shared.answering import Answering
from seqviz.views.shared.bundle import module

ONE_LENGTH = (
    "answers: the model can be written as a graph for texts of one length only, and what it writes "
    "grows: give target=, the decoder's text"
)
COARSE = 0.1  # by which rounded weights may move an attention weight
SIDES = {"encoder_tokens": "source", "key_tokens": "source", "decoder_tokens": "target"}


def answering_of(runner: Runner, view: AttentionExplorer, precision: str) -> Answering:
    """Return what the page of a view needs.

    Raises
    ------
    ValueError
        If the model cannot be written as a graph, its heads are not found in there, or the page
        cannot split a text as its tokenizer does.
    """
    caller = runner.caller
    if not isinstance(caller, OneText | Translation | Translator):
        raise ValueError(NO_FUNCTION)
    if of_one := isinstance(caller, OneText):
        readers, limits = [caller.reader], [caller.limits]
    else:
        readers, limits = [caller.reads, caller.writes], [caller.encoder, caller.decoder]
    runner(view.text)  # the last run may be of another text
    call = runner.call
    whole = pass_of(runner)
    seen = whole.seen({})
    sources = {name: sources_of(graph) for name, graph in whole.graphs.items()}
    if not any(source["update"] for of in sources.values() for source in of.values()):
        view.facts = {**view.facts, "written": False}
    facts = {
        "steps": isinstance(caller, Translator),
        "readers": [told_of(reader) for reader in readers],
        "longest": [one.positions for one in limits],  # tokens of the source, of the target
        "pair": caller.pair,
        "special": runner.told.get("special", call.tokens["special"]),
        "kinds": _kinds(view, seen),
        "gold": {
            "text": view.text,
            "tokens": call.predicting,
            "kinds": [kind["gold"] for kind in view.facts["kinds"]],
        },
        "said": _said(runner, whole),
        "sources": sources,
        **whole.facts,
        **({} if of_one else _writing(caller, whole, call)),
    }
    packs = {name: packed(graph, precision) for name, graph in whole.graphs.items()}
    fewer = {name: rounded(graph, precision) for name, graph in whole.graphs.items()}
    off = largest_difference(seen, whole.seen(fewer))
    if off > COARSE:
        raise ValueError(
            f"answers: rounding its weights moves an attention weight by {off:.2g}: "
            'precision="full" keeps them'
        )
    numbers = sum(len(one.numbers) for one in packs.values())
    says = _says(runner.model, numbers, precision, off, whole.lengths)
    return Answering(module("attention/answers.js"), facts, packs, says)


def _kinds(view: AttentionExplorer, seen: Sequence[Seen]) -> list[dict]:
    """Each kind of attention: where its heads are, and of which texts its queries and keys."""
    return [
        {
            "name": kind.name,
            "family": kind.family,
            "numbers": list(kind.numbers),
            "heads": heads_of(kind, seen),
            "queries": _texts(kind.sides[0], kind.sides),
            "keys": _texts(kind.sides[1], kind.sides),
        }
        for kind in view.kinds.values()
    ]


def _texts(side: str, sides: tuple[str, str]) -> list[str]:
    """Which texts a side's tokens are, one behind the other."""
    alone = "target" if "key_tokens" in sides else "source"  # what `tokens` stands for
    return [SIDES.get(name, alone) for name in side.split(" + ")]


def _said(runner: Runner, whole: OneCall | StepByStep) -> dict | None:
    """What the model says at each token: where its logits are, or its states."""
    if runner.said is None:
        return None
    name, rows = runner.said
    graph, value = whole.value_of(rows)
    return None if value is None else {"as": name, "graph": graph, "value": value}


def _writing(caller: Translation | Translator, whole: OneCall | StepByStep, call: Call) -> dict:
    """What the decoder reads: a target that was given, or how it begins, ends and goes on."""
    if caller.target is not None:
        return {"target": {"ids": whole.target.tolist(), "tokens": call.predicting}}
    if whole.lengths:
        raise ValueError(ONE_LENGTH)
    start, stop, most = caller.rule
    found = written(whole, start, stop, most)
    if found[: len(whole.target)] != whole.target.tolist():
        raise ValueError(
            "answers: the model writes by rules of its own (its generation_config), where a page "
            "takes the likeliest token at each step: give target=, the decoder's text"
        )
    called = "written" if isinstance(caller, Translator) else "read"  # a row of the decoder's
    return {"writing": {"start": start, "stop": stop, "most": most, "called": called}}


def _says(model: nn.Module, size: int, precision: str, off: float, lengths: Mapping | None) -> str:
    count = sum(one.numel() for one in model.parameters())
    rounding = f", which moves an attention weight of its first text by at most {off:.1g}"
    return (
        f"Runs in this page: {type(model).__name__} with {count:,} weights, {size / 1e6:.1f} MB in "
        f"{FORMS[precision]}{rounding if off > 1e-6 else ''}."
        + (f" It reads {max(lengths.values())} tokens here, no other number." if lengths else "")
    )
