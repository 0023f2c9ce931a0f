"""The machine in Python: its numbers are the model's, and what it cannot draw it says."""

from functools import partial

import numpy as np
import pytest
import torch
import traitlets
from torch.nn import Embedding, Linear, Module

import seqviz as sv
from seqviz import machine, nn
from seqviz.views.machine import machine as draw
from tests.graphs.test_explorer_answers import (
    LETTERS,
    OTHER,
    PIECES,
    SIZE,
    TEXT,
    WORD_LEVEL,
    lively,
)
from tests.refusing import refused
from tests.views.asking import answers

NEAR = 1e-5
MASKED = "a dog [MASK] ."


def masked():
    return nn.BERTForMaskedLM(nn.BERT(len(PIECES), 16, 2, 2, 32))


def written():
    return nn.GPT(SIZE, 32, 16, 2, 2)


def translator():
    return nn.TransformerSeq2Seq(SIZE, SIZE, 16, 2, 1, 1, 32, max_len=12)


def llama():
    """Grouped keys, rotary positions, a gate, a width that the heads do not divide."""
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "head_dim": 6}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=SIZE, **sizes, **heads))


MODELS = {
    "masked": (masked, PIECES, MASKED),
    "GPT": (written, LETTERS, TEXT),
    "translator": (translator, LETTERS, TEXT),
    "Llama": (llama, WORD_LEVEL, TEXT),
}


class Own(Module):
    """A model of one layer, with something of its own in front of its output."""

    def __init__(self, change=lambda x: x, mask=None):
        super().__init__()
        self.tokens = Embedding(SIZE, 16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.change, self.mask = change, mask

    def forward(self, ids):
        mask = self.mask and self.mask(ids.shape[1])
        return self.change(self.layer(self.tokens(ids), mask)) @ self.tokens.weight.T


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("GPT", "Llama")]


class Views(dict):
    """A view of each model that is asked for, beside it the model."""

    def __missing__(self, name):
        torch.manual_seed(1)
        make, tokenizer, text = MODELS[name]
        model = lively(make()).eval()
        self[name] = machine(model, tokenizer, text), model
        return self[name]


@pytest.fixture(scope="module")
def views():
    return Views()


def ids_of(view):
    return view._rest.asked.given


@pytest.mark.parametrize("name", ["masked", "translator", *SLOW])
def test_all_numbers_are_those_of_torch(views, name):
    view, model = views[name]
    seen = {}
    kinds = (Linear, Embedding)
    hooks = [
        one.register_forward_hook(lambda _, given, out, path=path: seen.update({path: out}))
        for path, one in model.named_modules()
        if isinstance(one, kinds) or type(one).__name__.endswith(("RMSNorm", "LayerNorm"))
    ]
    with torch.no_grad():
        model(*ids_of(view)[:2] if name == "translator" else ids_of(view)[:1])
    for hook in hooks:
        hook.remove()
    nodes = view.facts["graph"]["nodes"]
    for path, out in seen.items():
        own = [
            n["name"] for n in nodes if n["module"] == path and n["name"] in view.facts["shapes"]
        ]
        if own:
            value = np.frombuffer(view.part_of(f"0 {own[-1]}"), "<f4")
            most = max(1, out.abs().max().item())
            np.testing.assert_allclose(value, out.flatten(), atol=NEAR * most, err_msg=path)
    assert len(seen) > 5
    for weight in view.facts["graph"]["weights"]:
        assert (
            np.isfinite(np.frombuffer(view.part_of(f"w {weight}"), "<f4")).all() or "mask" in weight
        )
    shapes = {n: view.part_of(f"0 {n}") for n in view.facts["shapes"]}
    for node, part in shapes.items():
        assert len(part) == 4 * np.prod(view.facts["shapes"][node]), node


def told(view, message):
    """What a page hears at last that asks the view."""
    return answers(view, **message)[-1][0]


def said(logits):
    p, best = logits.double().softmax(-1).max(-1)
    return best[0].tolist(), p[0].tolist()


def laid(name, model, x):
    """The output layer laid on a stream, by hand."""
    if name == "masked":
        return model.predictions(x, model.bert.embeddings.word_embeddings.weight)
    if name == "GPT":
        return model.norm(x) @ model.tokens.weight.T
    if name == "Llama":
        return model.lm_head(model.model.norm(x))
    return model.output(x)


@pytest.mark.parametrize("name", ["masked", *SLOW])
def test_the_lens_is_the_output_layer_on_each_stage(views, name):
    view, model = views[name]
    stream = view.facts["anatomy"]["streams"][-1]
    stages = [stream["start"], *(block["end"] for block in stream["blocks"])]
    assert len(view.facts["lens"]) == len(stages)
    for place, told in zip(stages, view.facts["lens"], strict=True):
        with torch.no_grad():
            ids, chances = said(laid(name, model, view._run.values[place["node"]]))
        np.testing.assert_allclose([p for _, p in told], chances, atol=NEAR)
        names = view.model.reads.names(ids)
        assert [word for word, _ in told] == [name.removeprefix("##") for name in names]
    assert view.facts["lens"][-1] == [best for best, *_ in view.facts["answers"]]


class Rows(Module):
    """A text's classes of what `reads` takes of the vectors of its tokens."""

    def __init__(self, bert, reads):
        super().__init__()
        self.bert, self.output, self.reads = bert, Linear(16, 3), reads

    def forward(self, ids):
        return self.output(self.reads(self.bert(ids).last_hidden_state))


def test_a_head_reads_one_row_or_all_of_them():
    torch.manual_seed(1)
    bert = lively(nn.BERT(len(PIECES), 16, 1, 2, 32))
    pair = nn.BERTForSequenceClassification(bert, 3)
    last, mean = Rows(bert, lambda h: h[:, -1]), Rows(bert, lambda h: h.mean(1))
    tags = nn.BERTForTokenClassification(bert, 3)
    for model, wanted, token in (
        (pair, ("text", 0), 0),
        (last, ("text", -1), 5),
        (mean, ("text", None), 0),
        (tags, ("tokens", None), 1),
    ):
        view = machine(model.eval(), PIECES, MASKED, labels=["a", "b", "c"])
        anatomy, answers = view.facts["anatomy"], view.facts["answers"]
        assert (anatomy["probabilities"], anatomy["row"]) == wanted
        assert view.token == token
        chances, ids = model(*ids_of(view)[:1])[0].reshape(-1, 3).double().softmax(-1).max(-1)
        assert [of[0][0] for of in answers] == ["abc"[k] for k in ids]
        np.testing.assert_allclose([of[0][1] for of in answers], chances.detach(), atol=NEAR)


def hugging_reader():
    from transformers import BertConfig, BertForQuestionAnswering

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    return BertForQuestionAnswering(BertConfig(vocab_size=len(PIECES), **sizes))


def own_reader():
    return nn.BERTForQuestionAnswering(nn.BERT(len(PIECES), 16, 2, 2, 32))


@pytest.mark.parametrize("make", [own_reader, pytest.param(hugging_reader, marks=pytest.mark.slow)])
def test_a_span_starts_and_ends_at_tokens(make):
    torch.manual_seed(1)
    model = lively(make()).eval()
    view = machine(model, PIECES, TEXT, text_pair=OTHER)
    facts, run = view.facts, view._run.values
    (stream,), place = facts["anatomy"]["streams"], facts["anatomy"]["logits"]
    assert facts["anatomy"]["probabilities"] == "span"
    assert stream["last"] == stream["end"]
    ids, segments = view._rest.asked.given[0], view._rest.asked.given[-1]
    with torch.no_grad():
        logits = model(input_ids=ids, token_type_ids=segments)
        stages = [model.qa_outputs(run[stream["start"]["node"]])[0]]
    stages.append(torch.stack([logits.start_logits[0], logits.end_logits[0]], dim=1))
    np.testing.assert_allclose(run[place["node"]].reshape(-1, 2), stages[1], atol=NEAR)
    assert len(facts["spans"]) == len(stream["blocks"]) + 1
    for told, rows in zip((facts["spans"][0], facts["spans"][-1]), stages, strict=True):
        starts, ends = rows.softmax(0).T.tolist()
        pairs = [(i, j) for i in range(len(starts)) for j in range(i, len(ends))]
        p, *best = max((starts[i] * ends[j], i, j) for i, j in pairs)
        assert told == (*best, pytest.approx(p, abs=NEAR))
    for token, said in enumerate(facts["answers"]):
        assert dict(said)["start"] == pytest.approx(starts[token], abs=NEAR)
        assert dict(said)["end"] == pytest.approx(ends[token], abs=NEAR)
        assert said[0][1] >= said[1][1]
    assert view.token == best[0]
    named = machine(model, PIECES, TEXT, labels=["from", "to"])
    assert {word for word, _ in named.facts["answers"][0]} == {*named.facts["classes"]}
    refused(
        ValueError,
        {"labels: expected 2.*came 3": lambda: machine(model, PIECES, TEXT, labels=[*"abc"])},
    )


def test_a_silent_head_is_one_that_is_ablated(views):
    for name, head in {"masked": (1, 1), "GPT": (0, 1)}.items():
        view, model = views[name]
        before = view.facts["answers"]
        view.silent = [head]
        with torch.no_grad(), sv.ablate(model, layer=head[0], head=head[1]):
            logits = model(*ids_of(view)[:1])
        _, chances = said(logits)
        np.testing.assert_allclose([of[0][1] for of in view.facts["answers"]], chances, atol=NEAR)
        assert view.facts["answers"] != before == view.facts["before"]["answers"]
        without = told(view, {"without": [*head], "run": view.facts["run"]})
        assert without["answers"] == view.facts["answers"]
        assert view.alt.endswith(f"; without head 1 of attention {head[0]}")
        view.silent = []
        assert view.facts["answers"] == before
        assert view.facts["before"] is None


def test_a_translator_writes_and_what_it_wrote_stays_while_heads_are_silent(views):
    view, model = views["translator"]
    ids = view._run.asked.target
    source = ids_of(view)[0]
    greedy = sv.decoding.greedy
    state = model.encode(source)
    own = greedy(model.step, [1], 11, stop=2, state=state)
    assert ids == [1, *own[: len(ids) - 1]]
    assert view.facts["tokens"]["target"][0] == "<start>"
    assert view.facts["special"]["target"][0] == 0
    view.silent = [(2, 0)]
    assert view._run.asked.target == ids
    view.silent = []
    given = machine(model, LETTERS, TEXT, target="the dog")
    assert given.facts["tokens"]["target"] == ["<start>", "the", "dog"]
    given.text = OTHER
    assert given.facts["tokens"]["target"] == ["<start>", "the", "dog"]


def test_another_text_is_another_run(views):
    view, _ = views["masked"]
    run, token = view.facts["run"], view.token
    assert view.facts["kind"] == "masked"
    assert view.facts["mask"] == view.facts["tokens"]["source"][token] == "[MASK]"
    old = f"{run} {view.facts['anatomy']['logits']['node']}"
    assert old in view.parts
    view.text = "a"
    assert int(view.facts["run"]) == int(run) + 1
    assert view.token < len(view.facts["tokens"]["source"]) == 3
    assert old not in view.parts
    assert view.first.keys() == {*view.parts}
    assert view.facts["special"] == {"source": [0, 2]}
    view.text = MASKED
    assert views["GPT"][0].facts["kind"] == "next"
    assert views["GPT"][0].token == len(TEXT.split()) - 1


def test_the_view_begins_at_the_head_that_attends_most(views):
    view, _ = views["GPT"]
    part = view.facts["anatomy"]["streams"][0]["blocks"][view.block]["parts"][view.part]
    maps = np.asarray(view._run.values[part["weights"]]).reshape(2, len(TEXT.split()), -1)
    row = maps[:, view.token].copy()
    assert view.key == maps[view.head, view.token].argmax()
    row[:, view.token] = 0
    assert view.head == row.max(1).argmax()
    assert (view.depth, view.block, view.stage) == (0, 1, "0.1.end")


def test_controls_are_checked(views):
    view, _ = views["masked"]
    wrong = {
        "depth": (3, "depth: expected 0 to 2, came 3"),
        "block": (2, "block: expected 0 to 1, came 2"),
        "token": (99, "token: expected 0 to"),
        "head": (2, "head: expected 0 to 1, came 2"),
        "key": (-1, "key: expected 0 to"),
        "stream": (1, "stream: expected 0 to 0, came 1"),
        "stage": ("0.7.end", "stage: expected one of 0.e0, .*0.1.end.*; came '0.7.end'"),
        "number": ("nothing 3", "number: expected 'NODE INDEX'"),
        "silent": ([(0, 2)], r"silent\[0\]: head: expected 0 to 1, came 2"),
    }
    for name, (value, words) in wrong.items():
        before = getattr(view, name)
        with pytest.raises(traitlets.TraitError, match=words):
            setattr(view, name, value)
        assert getattr(view, name) == before
    for name in ("block", "stream", "token", "head", "key"):
        value, words = wrong[name]
        with pytest.raises((traitlets.TraitError, ValueError), match=words):
            draw(view.model, view.text, **{name: value})
    with pytest.raises(traitlets.TraitError, match=r"expected \(attention, head\)"):
        view.silent = [3]
    view.number = "embedding 5"
    view.block, view.part = 0, 1
    assert view.alt == "The machine BERTForMaskedLM, 2 blocks of 2 heads, 6 tokens; the model"
    with pytest.raises(traitlets.TraitError, match="part 1 of block 0 does not attend"):
        view.depth = 2
    view.part = 0
    view.depth = 2
    assert "block 0, head 0 from" in view.alt
    view.part = 1
    assert view.depth == 1


def test_the_table_has_lengths_and_answers(views):
    view, _ = views["translator"]
    header, *rows = view.table()
    assert header == ["stage", "position", "token", "quantity", "value"]
    stages = dict.fromkeys(row[0] for row in rows)
    assert [*stages][:3] == ["0.e0", "0.e1", "0.x"]
    assert [*stages][-1] == "answer"
    sides = {row[0]: 0 for row in rows}
    for row in rows:
        sides[row[0]] += 1
    assert sides["0.x"] == len(TEXT.split()) == sides["1.0.1.key"]
    assert sides["1.x"] == len(view.facts["tokens"]["target"])
    place = view.facts["anatomy"]["streams"][0]["start"]
    length = view._run.values[place["node"]][0, 2].norm().item()
    assert next(row for row in rows if row[:2] == ["0.x", "2"])[4] == pytest.approx(length)
    answers = [row[3:] for row in rows if row[0] == "answer" and row[1] == "1"]
    assert answers == [list(one) for one in view.facts["answers"][1]]


def test_a_page_holds_what_its_first_picture_needs_and_without_a_model_everything(views):
    view, _ = views["GPT"]
    run = view.facts["run"]
    assert {*view.parts} == {f"{run} {node}" for node in view.model.first(view._run)}
    page, alone = view.to_html(), view.to_html(answers=False)
    assert "Runs in this page: GPT" in page
    assert "Runs in this page" not in alone
    assert '"w p_tokens_weight"' not in page
    assert {*view.parts} == {*view.first}


def test_a_graph_of_its_own(views):
    view, model = views["masked"]
    graph = view.model.graph
    other = sv.view.machine(graph, PIECES, MASKED, depth=1, silent=[(0, 0)], title="Own")
    assert (other.depth, other.silent, other.facts["title"]) == (1, [(0, 0)], "Own")
    assert other.facts["before"]["answers"] == view.facts["answers"]
    both = views["translator"][0].model.graph
    pair = sv.view.machine(both, LETTERS, TEXT, target="<start> the dog")
    assert pair.facts["tokens"]["target"] == ["<start>", "the", "dog"]
    refused(
        (TypeError, ValueError),
        {
            "graph: expected a graph; came the model BERTForMaskedLM": partial(
                sv.view.machine, model, PIECES, MASKED
            ),
            "labels: expected 60, one for each number": partial(
                sv.view.machine, graph, PIECES, MASKED, labels=["a"]
            ),
            "target: missing: TransformerSeq2Seq": partial(sv.view.machine, both, LETTERS, TEXT),
            "text: expected a string, came int": partial(sv.view.machine, graph, PIECES, 3),
            "precision: expected": partial(
                sv.view.machine, graph, PIECES, MASKED, precision="double"
            ),
        },
    )


def test_what_cannot_be_drawn_is_said(views):
    view, model = views["masked"]
    fixed = Own(lambda x: x + torch.ones(1, 9, 16))
    values = Own(lambda x: torch.from_numpy(x.detach().numpy()))
    lstm = nn.LanguageModel(SIZE, 8, 16)
    show = partial(machine, model, PIECES)
    refused(
        (TypeError, ValueError),
        {
            "text: is empty": partial(show, " "),
            "text must be a string, as in 'a text'": partial(show, None),
            "text: has 602 tokens, expected 1 to 128.*shorten it": partial(
                machine, nn.GPT(SIZE, 1000, 16, 1, 2), LETTERS, "the " * 602
            ),
            "control must be one of .*'token'.*did you mean 'depth'": partial(show, MASKED, dept=1),
            "token: expected 0 to 5, came 7": partial(show, MASKED, token=7),
            "never attends": partial(machine, lstm, LETTERS, TEXT),
            "tokenizer: missing": partial(machine, model, None, TEXT),
            "text: has 6 tokens, and Own could be exported for texts of 9 only": lambda: setattr(
                machine(fixed.eval(), LETTERS, " ".join(TEXT.split()[:9])), "text", OTHER
            ),
            "model: Own cannot be written as a graph": partial(
                machine, values.eval(), LETTERS, TEXT
            ),
        },
    )
    before = view.facts
    with pytest.raises(ValueError, match="is empty"):
        view.text = ""
    problem = "Is empty: write at least one word"
    assert told(view, {"text": " ", "run": "a 1"}) == {
        "text": " ",
        "run": "a 1",
        "problem": problem,
    }
    assert "expected 0 to 1" in told(view, {"silent": [[0, 2]]})["problem"]
    assert "problem" in told(view, {"without": [0, 0], "run": "gone"})
    assert "problem" in told(view, {"want": "gone node"})
    assert view.facts is before


def test_heads_of_other_kinds_are_said_in_words():
    bert = nn.BERT(len(PIECES), 16, 1, 2, 32)
    classes_of = nn.BERTForSequenceClassification(bert, 2).eval()
    classes = machine(classes_of, PIECES, TEXT, labels="ab")
    assert classes.facts["kind"] == "other"
    wrong = partial(machine, classes_of, PIECES, TEXT, labels=[0, 1])
    refused(TypeError, {"labels: expected a list of strings, came": wrong})
    assert len(classes.facts["answers"]) == 1
    assert {word for word, _ in classes.facts["answers"][0]} == {*"ab"}
    assert classes.token == 0
    unnamed = sv.view.machine(classes.model.graph, PIECES, TEXT)
    assert {word for word, _ in unnamed.facts["answers"][0]} == {"class 0", "class 1"}
    states = machine(bert.eval(), PIECES, TEXT)
    assert states.facts["answers"] is states.facts["lens"] is None


def test_a_first_nan_a_masked_row_a_single_token_and_hostile_tokens_are_shown():
    bad = machine(Own(lambda x: (x - 9).sqrt()).eval(), LETTERS, TEXT)
    assert {name: bad.facts["nan"][name] for name in ("op", "module")} == {
        "op": "sqrt",
        "module": "",
    }
    assert bad.facts["answers"][0] == [("NaN", 0.0)]
    blind = machine(
        Own(mask=lambda n: nn.causal_mask(n) | torch.eye(n).bool()).eval(), LETTERS, TEXT
    )
    part = blind.facts["anatomy"]["streams"][0]["blocks"][0]["parts"][0]
    weights = blind._run.values[part["weights"]].reshape(2, 10, 10)
    assert not weights[:, 0].any()
    assert blind.facts["nan"] is None
    assert blind.facts["kind"] == "next"
    hostile = ["<script>alert(1)</script>", "=cmd()", "\u202eabc"]
    words = sv.data.Vocabulary([*LETTERS.tokens[:-3], *hostile])
    seen = machine(Own().eval(), words, " ".join(hostile))
    assert seen.facts["tokens"]["source"] == hostile
    assert machine(Own().eval(), LETTERS, "a").facts["kind"] == "other"
    assert hostile[0] not in seen.to_html()
    seen.depth = 2
    assert "\u202e" not in seen.alt
    seen.text = "and"
    assert seen.facts["tokens"]["source"] == ["and"]


def test_a_function_may_make_the_inputs():
    class OfVectors(Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
            self.output = Linear(16, 3)

        def forward(self, x):
            return self.output(self.layer(x))

    def inputs(text):
        words = text.split()
        drawn = torch.Generator().manual_seed(len(words))
        return torch.randn(1, len(words), 16, generator=drawn), words

    view = machine(OfVectors().eval(), None, TEXT, inputs=inputs)
    assert view.facts["tokens"]["source"] == TEXT.split()
    assert view.facts["shapes"]["x"] == [1, 10, 16]
    view.text = OTHER
    assert view.facts["tokens"]["source"] == OTHER.split()
    for silent in ([], [(0, 0)]):  # whichever way a page is made, it lacks nothing
        view.silent = silent
        assert view.to_html(answers=False)
        assert len(view.parts) > len(view.parts.first)
    with pytest.raises(ValueError, match="Vocabulary is one, and a model whose forward"):
        view.to_html(answers=True)
    assert "Runs in this page" not in view.to_html()
