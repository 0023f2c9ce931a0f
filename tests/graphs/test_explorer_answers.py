"""An explorer's page answers as its kernel does: maps, scores, guesses, silenced heads."""

from functools import cache

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers

from seqviz import data, explore, nn
from tests.bench.answering import difference
from tests.graphs.workers import asked

TEXT = "the animal was tired and did not cross the street"
OTHER = "a dog did not cross it"
WORDS = sorted({*TEXT.split(), *OTHER.split(), "mine"})
MARKS = ["<pad>", "<start>", "<stop>", "<unk>"]
NOT_TOLD = ("sums",)  # of a map that lost nothing it changes nothing


PIECES = data.train_wordpiece([TEXT, OTHER], vocab_size=60)
LETTERS = data.Vocabulary([*MARKS, *WORDS])
SIZE = len(LETTERS)
WORD_LEVEL = Tokenizer(
    models.WordLevel({word: k for k, word in enumerate(LETTERS.tokens)}, "<unk>")
)
WORD_LEVEL.pre_tokenizer = pre_tokenizers.Whitespace()
BERT = {"num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}


def lively(model):
    """A model whose heads do not attend to all alike."""
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1 and weight.abs().max() < 0.5:
                weight.mul_(6)
    return model


@cache
def bert():
    torch.manual_seed(1)
    return lively(nn.BERT(len(PIECES), 16, max_position_embeddings=40, **BERT))


def llama():
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=SIZE, **sizes, **heads))


def t5():
    from transformers import T5Config, T5ForConditionalGeneration

    sizes = {"d_model": 16, "d_ff": 32, "num_layers": 1, "num_heads": 2, "d_kv": 8}
    ids = {"decoder_start_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
    return T5ForConditionalGeneration(T5Config(vocab_size=SIZE, **sizes, **ids))


MODELS = {
    "masked": (lambda: nn.BERTForMaskedLM(nn.BERT(len(PIECES), 16, **BERT)), PIECES, {}),
    "states of a pair": (bert, PIECES, {"text_pair": OTHER}),
    "translator": (lambda: nn.TransformerSeq2Seq(SIZE, SIZE, 16, 2, 1, 1, 32), LETTERS, {}),
    "recurrent": (
        lambda: nn.Seq2Seq(SIZE, SIZE, 16, 16, bidirectional=True),
        LETTERS,
        {"target": "the dog"},
    ),
    "Llama": (llama, WORD_LEVEL, {}),
    "T5": (t5, WORD_LEVEL, {}),
}


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


def equal(view, came):
    """Whether what a worker set is what the view holds."""
    facts = came["facts"]
    for kind, own in zip(facts["kinds"], view.facts["kinds"], strict=True):
        assert kind | dict.fromkeys(NOT_TOLD) == own | dict.fromkeys(NOT_TOLD)
    thumbs = [f"{g} thumbs" for g in range(len(view.parts.kinds))]
    assert came["first"].keys() == {*view.parts, *thumbs}
    assert difference(view, came) < 1e-5
    for name, numbers in came["first"].items():
        if "thumbs" in name:
            assert np.abs(np.frombuffer(view.part_of(name), "u1") - numbers.astype(int)).max() <= 1
        elif "scores" in name:
            np.testing.assert_allclose(numbers, np.frombuffer(view.part_of(name), "<f4"), 0, 1e-5)
    said, own = facts["silence"], view.facts["silence"]
    assert [said["heads"], said["predicts"]] == [own["heads"], own["predicts"]]
    for when in ("before", "after") if own.get("guesses") else ():
        for mine, its in zip(own["guesses"][when] or [], said["guesses"][when] or [], strict=True):
            near = {round(p, 4) for _, p in mine}
            assert len(near) < len(mine) or [w for w, _ in mine] == [w for w, _ in its]


def followed(page, view, *messages):
    """What a page answers to messages, each as Python does."""
    for came, message in zip(asked(page, view, *messages), messages, strict=True):
        assert came["sent"]["problem"] == ""
        ((wish, value),) = message.items()
        setattr(view, wish, value)
        equal(view, came)
        yield came


@pytest.mark.parametrize("name", MODELS)
def test_a_page_answers_as_python_does(page, name):
    torch.manual_seed(1)
    make, tokenizer, more = MODELS[name]
    view = explore(lively(make()), tokenizer, TEXT, **more)
    heads = [[kind, view.kinds[kind].numbers[-1], 1] for kind in view.kinds]
    heads = [head for head in heads if view.kinds[head[0]].heads > 1] or [[view.kind, 0, 0]]
    beams = [{"beams": 4}, {"text": TEXT}, {"beams": 1}] if name == "translator" else []
    messages = [{"text": OTHER}, {"silent": heads}, *beams, {"second": TEXT}, {"silent": []}]
    assert len([*followed(page, view, *messages)]) == len(messages)
    view.silent = heads
    told_alike(page, view, *["written"] * (name != "recurrent"), "cost")


def told_alike(page, view, *parts):
    """What a head of the last kind writes while heads are silenced, and what that costs."""
    last, place = len(view.kinds) - 1, f"{[*view.kinds.values()][-1].numbers[-1]} 0"
    begins = {"written": last + len(view.kinds), "cost": last}
    parts = [f"{one} {begins[one]} {place}" for one in parts]
    answers = asked(page, view, *({"want": part} for part in parts))
    for part, came in zip(parts, answers, strict=True):
        assert "problem" not in came["sent"], came["sent"]
        own, its = (np.frombuffer(one, "<f4") for one in (view.part_of(part), came["buffers"][0]))
        np.testing.assert_allclose(its, own, atol=2e-5, rtol=2e-4, err_msg=part)


def test_a_view_that_compares_and_silences_already_goes_on_so(page):
    view = explore(bert(), PIECES, TEXT, second=OTHER)
    view.silent = [(view.kind, 1, 0)]
    (came,) = followed(page, view, {"text": "the dog did"})
    assert [came["second"], came["silent"]] == [OTHER, [[view.kind, 1, 0]]]


def test_half_floats_are_near(page):
    view = explore(bert(), PIECES, TEXT)
    (came,) = asked(page, view, {"text": OTHER}, precision="half")
    view.text = OTHER
    assert 0 < difference(view, came) < 3e-3
    assert "float16" in view._answering("half").says
    assert "moves an attention weight" in view._answering("small").says


def test_a_text_that_cannot_be_read_is_refused_and_the_page_stays(page):
    view = explore(bert(), PIECES, TEXT)
    wrong = {"": "Is empty: write", "  ": "Is empty: write", "the " * 5000: "Has 5002 tokens"}
    found = asked(page, view, *({"text": text} for text in wrong), {"silent": [[view.kind, 0, 1]]})
    *refused, after = found
    for came, told in zip(refused, wrong.values(), strict=True):
        assert "facts" not in came
        assert came["sent"]["problem"].startswith(told)
    assert after["facts"]["text"] == TEXT


class OneLength(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(SIZE, 8)
        self.place = torch.nn.Parameter(torch.randn(1, 6, 8))

    def forward(self, ids):
        x = self.embedding(ids) + self.place
        return (x @ x.mT).softmax(-1) @ x


def test_a_model_of_one_length_keeps_it(page):
    torch.manual_seed(1)
    view = explore(OneLength(), LETTERS, OTHER)
    short, same = asked(page, view, {"text": "the dog"}, {"text": "did a dog cross it not"})
    assert short["sent"]["problem"].endswith("ds: the model reads 6 tokens here, 2 came")
    view.text = "did a dog cross it not"
    equal(view, same)
    assert view._answering("half").says.endswith(" It reads 6 tokens here, no other number.")


def test_what_cannot_answer_says_why():
    def letters(text):
        return torch.tensor([[ord(c) % 40 for c in text]]), list(text)

    view = explore(nn.BERT(40, 16, **BERT), inputs=letters, text="hello")
    with pytest.raises(ValueError, match="answers: the text goes through inputs="):
        view.to_html(answers=True)
    view = explore(
        lambda text: {"weights": np.ones((1, 1, 2, 2)) / 2, "tokens": ["a", "b"]}, text="x"
    )
    with pytest.raises(ValueError, match="answers: this view runs a function of Python"):
        view.to_html(answers=True)
    special = nn.BERT(len(PIECES), 16, **BERT)
    special.embeddings.register_forward_hook(lambda *given: torch.special.bessel_j0(given[-1]))
    view = explore(special, PIECES, TEXT)
    with pytest.raises(ValueError, match="answers: a page has no operation special_bessel_j0"):
        view.to_html(answers=True)
    view = explore(nn.BERT(len(PIECES), 16, **BERT).bfloat16(), PIECES, "the")
    with pytest.raises(ValueError, match=r"model: its weight .* bfloat16, expected float32"):
        view.to_html(answers=True)


def test_gold_links_belong_to_their_text(page):
    torch.manual_seed(3)
    model = lively(nn.Seq2Seq(SIZE, SIZE, 16, 16, wiring="luong", bidirectional=True))
    view = explore(model, LETTERS, TEXT, sure=[(0, 0), (1, 2)], possible=[(2, 3)], sort="error")
    assert view.here.queries.tokens[0] != "<start>"  # rows are what is written
    messages = [{"second": OTHER}, {"text": OTHER}, {"text": TEXT}, {"beams": 4}, {"beams": 1}]
    has = []
    for came in followed(page, view, *messages):
        assert came.get("sort", view.sort) == view.sort
        has.append(bool(view.facts["kinds"][0]["gold"]))
    assert has == [True, False, True, False, True]  # four beams write something else
