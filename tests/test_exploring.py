"""sv.explore: a model and a text in one line; what is shown is what the model did."""

import copy
import warnings

import numpy as np
import pytest
import tokenizers
import torch
import transformers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors
from torch import nn

import seqviz as sv
from seqviz.running import Answers, Runner, caller_of
from seqviz.running.tokenizing import reader_of
from seqviz.stacks import places
from tests.nn.saved_models import encoder_folder
from tests.recording.foreign.nano_gpt import GPT
from tests.recording.small_models import BERT, bart, bert, gpt2, t5
from tests.recording.test_of_transformers import state_of

torch.set_num_threads(1)
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "the animal was too tired to cross a wide street it did not see".split()  # noqa: SIM905
TEXT = "the animal was too tired"
PIECES = sv.data.train_wordpiece([" ".join(WORDS)], vocab_size=99)
ENGLISH = sv.data.sentence_vocabulary([WORDS])
FRENCH = sv.data.sentence_vocabulary([["il", "était", "trop", "fatigué", "pour", "la", "rue"]])


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def words_tokenizer(model="WordLevel", frame=True):
    """Words with ids below 40, by the library tokenizers; [CLS] and [SEP] around a text."""
    known = {name: k for k, name in enumerate([*MARKS, *WORDS])}
    made = tokenizers.Tokenizer(getattr(models, model)(known, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if frame:
        ends = [("[CLS]", 2), ("[SEP]", 3)]
        pair = "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1"
        made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", pair, ends)
        made.add_special_tokens(MARKS)
    return made


def of_transformers(made=None, **roles):
    roles = roles or dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"),
                              MARKS, strict=True))  # fmt: skip
    made = made or words_tokenizer()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **roles)


def drawn(model, seed=0):
    """The model with weights large enough that no two maps look alike."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(std=0.4, generator=generator)
    return model.eval()


def masked_lm():
    return drawn(transformers.BertForMaskedLM(transformers.BertConfig(**BERT)))


def own_bert(**options):
    return drawn(sv.nn.BERT(99, 16, 3, 4, 8, 16, **options))


def runner(model, tokenizer=None, pair=None, inputs=None, target=None, item=None, layers=None):
    caller, reader = caller_of(model, tokenizer, pair, inputs, target)
    return Runner(model, caller, Answers(model, reader, item), layers, {})


def by_hand(model, *args, **kwargs):
    """The record and the output of a run by hand."""
    with torch.no_grad(), sv.record(model, keep=("attention",)) as rec:
        output = model(*args, **kwargs)
    return rec.attention, output


def maps(model, *args, item=0, where="", **kwargs):
    """The maps of a run by hand, of the modules that have a word in their path."""
    rec, _ = by_hand(model, *args, **kwargs)
    return np.stack([call.values[item] for path, (call,) in rec.items() if where in path])


def same(weights, expected):
    assert list(weights) == list(expected)
    for path, calls in expected.items():
        for one, other in zip(weights[path], calls, strict=True):
            np.testing.assert_array_equal(one.values, other.values)


def shown(view):
    """The layers of each kind that a view holds."""
    return {name: np.stack(kind.layers) for name, kind in view.kinds.items()}


# ---- one line
@pytest.fixture(scope="module")
def pretrained():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = transformers.BertModel.from_pretrained(encoder_folder(), local_files_only=True)
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            encoder_folder(), local_files_only=True
        )
    return model.eval(), tokenizer


def test_the_real_encoder_with_its_tokenizer(pretrained):
    model, tokenizer = pretrained
    text = "The animal didn't cross the street because it was overtired"
    view = sv.explore(model, tokenizer, text, layer=5, head=11, words=True, title="MiniLM")
    inputs = tokenizer(text, return_tensors="pt")
    (kind,) = view.kinds.values()
    assert (kind.depth, kind.heads, kind.same) == (6, 12, True)
    np.testing.assert_array_equal(np.stack(kind.layers), maps(model, **inputs))
    assert kind.queries.tokens == tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    assert any(token.startswith("##") for token in kind.queries.tokens)
    assert kind.queries.texts[-2] == "overtired"
    assert [kind.queries.tokens[k] for k in kind.queries.special] == ["[CLS]", "[SEP]"]
    assert (view.layer, view.head, view.words) == (5, 11, True)
    states = runner(model, tokenizer)(text)["states"]
    output = by_hand(model, **inputs)[1]
    np.testing.assert_allclose(states, output.last_hidden_state[0], atol=1e-6)


def test_another_text_and_an_error_that_leaves_the_picture():
    model = own_bert()
    view = sv.explore(model, PIECES, TEXT, query=2)
    view.text = "it was wide"
    reading = PIECES.encode(view.text)
    assert view.here.queries.tokens == list(reading.tokens)
    before = shown(view)[view.kind]
    np.testing.assert_array_equal(before, maps(model, reading.ids[None]))
    with pytest.raises(ValueError, match="text: is empty"):
        view.text = "  "
    assert view.text == "it was wide"
    np.testing.assert_array_equal(shown(view)[view.kind], before)


def test_controls_stand_where_they_are_set_the_kind_first():
    set_ = {"layer": 1, "head": 1, "kind": "decoder"}
    view = sv.explore(drawn(bart()), of_transformers(), TEXT, target="it did", **set_)
    assert set_.items() <= view.controls().items()


# ---- tokenizers
def read(tokenizer, *texts):
    return reader_of(tokenizer).read(*texts)


def test_tokenizers_of_the_library_and_of_transformers_read_alike_without_padding():
    made = words_tokenizer()
    made.enable_padding(length=12)
    reading = read(made, "it was", "a wide street")
    assert reading.tokens == ["[CLS]", "it", "was", "[SEP]", "a", "wide", "street", "[SEP]"]
    assert reading.words == [None, 0, 1, None, 2, 3, 4, None]
    assert reading.segments == [0] * 4 + [1] * 4
    assert set(reader_of(made).special) == {"[CLS]", "[SEP]"}
    assert read(made, "it was").segments is None, "a GPT-2 would read them as ids"
    other = read(of_transformers(), "it was", "a wide street")
    assert (other.ids, other.tokens, other.words) == (reading.ids, reading.tokens, reading.words)
    assert other.segments is None or other.segments == reading.segments
    special = {"[PAD]", "[CLS]", "[SEP]"}
    assert set(reader_of(of_transformers()).special) == special, "neither mask nor unknown word"
    made.enable_truncation(5)
    with pytest.raises(ValueError, match="text: the tokenizer cuts it after 5 tokens: shorten it"):
        read(made, TEXT)


def test_a_vocabulary_of_words_and_one_of_letters():
    reading = read(ENGLISH, "the animal was purple")
    assert reading.tokens == ["the", "animal", "was", "<unk>"]
    assert ENGLISH.decode(reading.ids) == reading.tokens
    marked = sv.data.Vocabulary(["was", "tired", "o'er", ".", ":", "st."])
    assert read(marked, "st. o'er: was tired.").tokens == ["st.", "o'er", ":", "was", "tired", "."]
    with pytest.raises(ValueError, match=r"text: has what is not .*: 'he', '!': leave it out"):
        read(marked, "he was tired!")
    letters = read(sv.data.Vocabulary(["<pad>", *"helo"]), "hello")
    assert letters.tokens == list("hello")
    with pytest.raises(ValueError, match="text_pair: a Vocabulary does not join two texts"):
        read(ENGLISH, "the", "animal")


def test_byte_pairs_with_their_vocabulary():
    bpe = sv.data.train_bpe([WORDS], merges=20)
    vocabulary = sv.data.sentence_vocabulary([bpe.split(WORDS)])
    reading = read((bpe, vocabulary), "tired animal")
    assert reading.tokens == bpe.split(["tired", "animal"])
    config = transformers.GPT2Config(vocab_size=60, n_embd=16, n_layer=2, n_head=4)
    model = drawn(transformers.GPT2Model(config))
    view = sv.explore(model, (bpe, vocabulary), "tired animal")
    assert view.here.queries.texts == ["tired", "animal"]


def test_the_marks_of_gpt2_and_of_sentencepiece():
    pairs = models.BPE({**{c: k for k, c in enumerate("Ġtired.o")}, "ti": 8}, [("t", "i")])
    made = tokenizers.Tokenizer(pairs)
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    reading = read(of_transformers(made, eos_token="."), "tired to")
    assert reading.tokens == ["ti", "r", "e", "d", "Ġ", "t", "o"]
    assert reading.words == [0, 0, 0, 0, 1, 1, 1]

    pieces = models.Unigram([("<unk>", 0), ("▁ti", -1), ("red", -1), ("▁to", -1), (".", -1)], 0)
    made = tokenizers.Tokenizer(pieces)
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    reading = read(of_transformers(made, unk_token="<unk>"), "tired to.")
    assert reading.tokens == ["▁ti", "red", "▁to", "."]
    assert reading.words is None, "to this tokenizer all is one word: the marks tell more"


# ---- pairs
@pytest.mark.parametrize("tokenizer", [PIECES, of_transformers(), words_tokenizer()], ids=type)
def test_a_pair_of_texts(tokenizer):
    model = own_bert()
    view = sv.explore(model, tokenizer, "it was", "wide")
    reading = read(tokenizer, "it was", "wide")
    segments = None if reading.segments is None else torch.tensor([reading.segments])
    expected = maps(model, torch.tensor([reading.ids]), token_type_ids=segments)
    np.testing.assert_allclose(shown(view)[view.kind], expected, atol=1e-7)
    view.text = "it did"
    assert view.here.queries.tokens[-2:] == ["wide", "[SEP]"]


def test_a_model_without_segments_reads_a_single_text():
    model = own_bert(type_vocab_size=0)
    tokenizer = of_transformers(model_input_names=["input_ids", "token_type_ids"])
    view = sv.explore(model, tokenizer, TEXT)
    assert (view.here.depth, view.facts["reads"]) == (3, "text")
    with pytest.raises(ValueError, match="does not tell segments apart"):
        sv.explore(model, PIECES, "it was", "wide")


# ---- encoder and decoder
@pytest.mark.parametrize("make", [t5, bart])
def test_a_target_is_read_behind_start(make):
    model = drawn(make())
    start = model.config.decoder_start_token_id
    view = sv.explore(model, of_transformers(), TEXT, target="it did not see")
    ids = of_transformers()(TEXT)["input_ids"]
    target = [start, *of_transformers()("it did not see")["input_ids"][:-1]]
    assert sorted(view.kinds) == ["cross", "decoder", "encoder"]
    cross = view.kinds["cross"]
    assert cross.queries.tokens == of_transformers().convert_ids_to_tokens(target)
    assert cross.keys.tokens == of_transformers().convert_ids_to_tokens(ids)
    given = {"input_ids": torch.tensor([ids]), "decoder_input_ids": torch.tensor([target])}
    expected = maps(model, **given, where="EncDec" if make is t5 else "encoder_attn")
    np.testing.assert_allclose(cross.layers, expected, atol=1e-6)


def test_a_target_without_an_end_keeps_its_last_word():
    tokenizer = of_transformers(words_tokenizer(frame=False), unk_token="[UNK]")
    for model in (drawn(bart()), drawn(bart()).model):
        view = sv.explore(model, tokenizer, TEXT, target="it did not")
        assert view.kinds["decoder"].queries.tokens == ["[CLS]", "it", "did", "not"]


def test_what_the_model_writes_without_a_target():
    model, tokenizer = drawn(bart()), of_transformers()
    view = sv.explore(model, tokenizer, TEXT)
    inputs = tokenizer(TEXT, return_tensors="pt", return_token_type_ids=False)
    found = model.generate(**inputs, max_new_tokens=31, do_sample=False)  # 32 positions
    *before, last = found[0].tolist()
    ids = before if last == model.config.eos_token_id else [*before, last]
    assert view.kinds["decoder"].queries.tokens == reader_of(tokenizer).names(ids)
    cross = maps(model, **inputs, decoder_input_ids=torch.tensor([ids]), where="encoder_attn")
    np.testing.assert_allclose(view.kinds["cross"].layers, cross, atol=1e-6)
    before = state_of(model)
    view.text = "it was wide"
    assert view.kinds["encoder"].queries.tokens == ["[CLS]", "it", "was", "wide", "[SEP]"]
    assert state_of(model) == before


def test_a_translator_of_ours():
    model = drawn(sv.nn.TransformerSeq2Seq(len(ENGLISH), len(FRENCH), 16, 4, max_len=12))
    view = sv.explore(model, (ENGLISH, FRENCH), TEXT, target="il était fatigué", kind="cross")
    assert view.here.queries.tokens == ["<start>", "il", "était", "fatigué"]
    target = FRENCH.encode(["<start>", "il", "était", "fatigué"])[None]
    given = ENGLISH.encode(TEXT.split())[None], target
    np.testing.assert_array_equal(view.here.layers, maps(model, *given, where="multihead_attn"))
    output = by_hand(model, *given)[1]
    run = runner(model, (ENGLISH, FRENCH), target="il était fatigué")
    best = [FRENCH.tokens[k] for k in output[0].argmax(-1)]
    assert [pairs[0][0] for pairs in run(TEXT)["guesses"]] == best


def test_a_recurrent_translator_with_as_many_words_on_both_sides():
    model = translator(wiring="bahdanau")
    view = sv.explore(model, (ENGLISH, FRENCH), "it was tired", target="il était")
    assert view.here.keys.tokens == ["it", "was", "tired"]
    assert view.here.queries.tokens == ["<start>", "il", "était"]
    _, alpha = model(
        ENGLISH.encode(["it", "was", "tired"])[None],
        FRENCH.encode(["<start>", "il", "était"])[None],
        need_weights=True,
    )
    np.testing.assert_allclose(view.here.layers[0][0], alpha[0].detach(), atol=1e-6)


# ---- inputs of the user's own
def test_inputs_as_a_tensor_a_tuple_and_a_dict():
    model = drawn(GPT(flash=True))
    ids = torch.tensor([[1, 5, 2, 7]])
    expected = maps(model, ids)
    for arguments in (ids, (ids,), [ids], {"ids": ids}):
        view = sv.explore(model, inputs=lambda text, a=arguments: (a, list(text)), text="abcd")
        np.testing.assert_array_equal(shown(view)[view.kind], expected)


def test_layers_of_torch_with_tokens_by_name():
    model = nn.Transformer(8, 2, 2, 2, 16, batch_first=True)
    drawn(model)

    def inputs(text):
        source, target = text.split("|")
        vectors = [torch.randn(1, len(words.split()), 8) for words in (source, target)]
        return tuple(vectors), {"encoder_tokens": source.split(), "decoder_tokens": target.split()}

    view = sv.explore(model, inputs=inputs, text="it was tired | il était très fatigué")
    assert sorted(view.kinds) == ["cross", "decoder", "encoder"]
    assert view.kinds["cross"].shape == (4, 3)


def test_a_model_that_takes_ids_needs_a_vocabulary_only():
    letters = sv.data.Vocabulary("helo wrd.!?")
    run = runner(drawn(GPT(flash=False)), letters)
    answer = run("hello")
    assert answer["tokens"] == list("hello")
    logits = by_hand(run.model, letters.encode("hello")[None])[1]
    assert [pairs[0][0] for pairs in answer["guesses"]] == letters.decode(logits[0].argmax(-1))


def test_one_of_a_batch():
    model = own_bert()
    ids = torch.tensor([[5, 9, 3], [7, 4, 30]])
    given = {"inputs": lambda text: (ids, text.split()), "text": "a b c"}
    view = sv.explore(model, **given, item=1)
    np.testing.assert_array_equal(shown(view)[view.kind], maps(model, ids, item=1))
    output = by_hand(model, ids)[1]
    answer = runner(model, inputs=given["inputs"], item=1)("a b c")
    np.testing.assert_array_equal(answer["states"], output.last_hidden_state[1])
    with pytest.raises(ValueError, match=r"item: missing: .* a batch of 2"):
        sv.explore(model, **given)
    with pytest.raises(ValueError, match="item: expected 0 to 1"):
        sv.explore(model, **given, item=2)


def test_a_function_goes_to_the_view_as_it_is():
    def attends(text):
        words = text.split()
        return {"weights": np.eye(len(words)), "tokens": words}

    view = sv.explore(attends, text="it was", special=["it"], title="mine", head="mean")
    assert view.here.queries.special == [0]
    assert view.head == "mean"
    assert "silence" not in view.facts
    view.text = "a b c"
    assert view.here.shape == (3, 3)


# ---- what the model says
def test_guesses_of_a_language_model_and_states_of_an_encoder():
    model, tokenizer = masked_lm(), of_transformers()
    answer = runner(model, tokenizer)(TEXT)
    logits = model(**tokenizer(TEXT, return_tensors="pt")).logits[0]
    assert len(answer["guesses"]) == len(answer["tokens"])
    for row, pairs in zip(logits.softmax(-1), answer["guesses"], strict=True):
        values, ids = row.topk(5)
        assert [token for token, _ in pairs] == reader_of(tokenizer).names(ids.tolist())
        np.testing.assert_allclose([chance for _, chance in pairs], values.detach(), rtol=1e-4)
    assert "states" not in answer
    encoder = runner(model.bert, tokenizer)(TEXT)
    assert "guesses" not in encoder
    assert encoder["states"].shape == (7, 16)
    assert encoder["states"].dtype == np.float32


# ---- the model is left as it was
def test_the_model_is_as_it_was_also_after_an_error():
    model = masked_lm().train()
    model.bert.encoder.layer[1].eval()
    before, numbers = state_of(model), copy.deepcopy(model.state_dict())
    run = runner(model, of_transformers())
    first = run(TEXT)
    assert state_of(model) == before
    same(run(TEXT)["weights"], first["weights"])  # nothing is dropped
    run(TEXT, silent=[(family_of(first), 1, 2)])
    assert state_of(model) == before

    def broken(*_):
        raise KeyError("in the middle")

    hook = model.bert.encoder.layer[0].register_forward_hook(broken)
    before = state_of(model)
    for silent in ((), [(family_of(first), 1, 2)]):
        with pytest.raises(KeyError, match="in the middle"):
            run(TEXT, silent=silent)
        assert state_of(model) == before
    hook.remove()
    same(run(TEXT)["weights"], first["weights"])
    torch.testing.assert_close(model.state_dict(), numbers, rtol=0, atol=0)
    assert all(weight.grad is None for weight in model.parameters())


def test_another_precision_stays():
    model, dtype = masked_lm().to(torch.bfloat16), torch.bfloat16
    answer = runner(model, of_transformers())(TEXT)
    assert all(weight.dtype == dtype for weight in model.parameters())
    exact = runner(masked_lm(), of_transformers())(TEXT)
    for path, (call,) in exact["weights"].items():
        np.testing.assert_allclose(answer["weights"][path][0].values, call.values, atol=0.05)
    assert sv.explore(model, of_transformers(), TEXT).here.heads == 4
    assert runner(model.bert, of_transformers())(TEXT)["states"].dtype == np.float32


def test_what_torch_compile_made_runs_uncompiled():
    view = sv.explore(torch.compile(own_bert()), PIECES, TEXT)
    assert list(view.kinds) == ["layers.*.self_attn"]


# ---- silence
def family_of(answer):
    (family,) = {place.family for place in places(answer["weights"]).values()}
    return family


def test_silenced_heads_are_those_of_ablate():
    model, tokenizer = masked_lm(), of_transformers()
    run = runner(model, tokenizer)
    first = run(TEXT)
    family = family_of(first)
    answer = run(TEXT, silent=[(family, 0, 1), (family, 0, 3), (family, 1, 2)])
    path = "bert.encoder.layer.{}.attention.self"
    with (
        sv.ablate(model, layer=path.format(0), head=[1, 3]),
        sv.ablate(model, layer=path.format(1), head=2),
    ):
        rec, output = by_hand(model, **tokenizer(TEXT, return_tensors="pt"))
    same(answer["weights"], rec)
    assert answer["tokens"] == first["tokens"]
    chances = [pairs[0][1] for pairs in answer["guesses"]]
    np.testing.assert_allclose(chances, output.logits[0].softmax(-1).amax(-1), rtol=1e-5)
    assert answer["guesses"] != first["guesses"]
    assert run(TEXT)["guesses"] == first["guesses"], "nothing stays silent"


def test_a_layer_of_several_that_share_one_module():
    config = transformers.AlbertConfig(
        **BERT | {"num_hidden_layers": 3}, embedding_size=8, max_position_embeddings=16
    )
    model = drawn(transformers.AlbertModel(config))
    run = runner(model, of_transformers())
    first = run(TEXT)
    inputs = of_transformers()(TEXT, return_tensors="pt")
    (calls,) = by_hand(model, **inputs)[0].values()
    assert len(first["weights"]) == len(calls) == 3
    for (one,), call in zip(first["weights"].values(), calls, strict=True):
        np.testing.assert_array_equal(one.values, call.values)
    middle = run(TEXT, silent=[(family_of(first), 1, head) for head in range(4)])
    maps = [call.values for (call,) in middle["weights"].values()]
    same_up_to = [np.array_equal(a, b.values) for a, b in zip(maps, calls, strict=True)]
    assert same_up_to == [True, True, False], "the layer itself still looks, the next sees less"
    last = run(TEXT, silent=[(family_of(first), 2, 0)])
    assert all(
        np.array_equal(call.values, first["weights"][path][0].values)
        for path, (call,) in last["weights"].items()
    )
    assert np.abs(last["states"] - first["states"]).max() > 1e-3
    with pytest.raises(ValueError, match="head must be from 0 to 3"):
        run(TEXT, silent=[(family_of(first), 2, 4)])


class Heads(nn.Module):
    """A module for each head."""

    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(nn.MultiheadAttention(8, 1, batch_first=True) for _ in range(3))

    def forward(self, x):
        return sum(head(x, x, x)[0] for head in self.heads)


class Stage(nn.Module):
    """Blocks one after the other."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.MultiheadAttention(8, 2, batch_first=True) for _ in range(2))

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x, x, x)[0]
        return x


class Stacked(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.table = nn.Embedding(99, 8)
        self.layers = nn.ModuleList(kind() for _ in range(2))

    def forward(self, ids):
        x = self.table(ids)
        for layer in self.layers:
            x = x + layer(x)
        return x


def test_a_module_for_each_head():
    model = drawn(Stacked(Heads))
    view = sv.explore(model, PIECES, TEXT)
    assert (view.here.depth, view.here.heads) == (2, 3)
    run = runner(model, PIECES)
    first = run(TEXT)
    answer = run(TEXT, silent=[(family_of(first), 1, 0), (family_of(first), 1, 2)])
    silent = copy.deepcopy(model)
    for head in (0, 2):
        silent.layers[1].heads[head].out_proj.weight.data.zero_()
    expected = silent(PIECES.encode(TEXT).ids[None])[0].detach()
    np.testing.assert_allclose(answer["states"], expected, atol=1e-5)
    with pytest.raises(ValueError, match="silent: head must be from 0 to 2 in layer 1"):
        run(TEXT, silent=[(family_of(first), 1, 3)])


def test_a_module_that_is_the_model():
    model = drawn(nn.MultiheadAttention(8, 2, batch_first=True))
    x = torch.randn(1, 5, 8)
    run = runner(model, inputs=lambda text: ((x, x, x), list(text)))
    first = run("hello")
    answer = run("hello", silent=[(family_of(first), 0, head) for head in (0, 1)])
    assert list(answer["weights"]) == [""]
    np.testing.assert_array_equal(answer["states"], model.out_proj.bias.detach().expand(5, 8))


def test_what_was_written_with_all_heads_stays_the_target():
    model = drawn(bart(), seed=3)
    run = runner(model, of_transformers())
    first = run(TEXT)
    families = {place.family for place in places(first["weights"]).values()}
    (cross,) = (family for family in families if "encoder_attn" in family)
    written = []
    generate = model.generate
    model.generate = lambda **given: written.append(1) or generate(**given)
    answer = run(TEXT, silent=[(cross, layer, head) for layer in range(2) for head in range(2)])
    assert answer["decoder_tokens"] == first["decoder_tokens"]
    assert answer["guesses"] != first["guesses"]
    assert not written, "it is written once"
    other = run("it was wide", silent=[(cross, 0, 0)])
    assert written == [1]
    assert other["decoder_tokens"] == run("it was wide")["decoder_tokens"]


def test_a_layer_that_did_not_attend():
    run = runner(own_bert(), PIECES)
    with pytest.raises(ValueError, match=r"silent: no layer 9 of 'layers\.\*\.self_attn' attended"):
        run(TEXT, silent=[("layers.*.self_attn", 9, 0)])
    with pytest.raises(ValueError, match="there are layer 0 of"):
        run(TEXT, silent=[("other", 0, 0)])


# ---- layers
def test_some_layers_by_the_models_own_numbers():
    model = own_bert()
    view = sv.explore(model, PIECES, TEXT, layers=[2, 0], layer=2)
    assert view.here.numbers == (0, 2)
    np.testing.assert_array_equal(
        view.here.layers[1], sv.explore(model, PIECES, TEXT).here.layers[2]
    )
    view.silent = [(view.kind, 2, 1)]
    assert view.facts["silence"]["heads"] == [[view.kind, 2, 1]]
    with pytest.raises(ValueError, match=r"layers: expected some of 0, 1, 2, .* came 3, 7"):
        sv.explore(model, PIECES, TEXT, layers=[0, 3, 7])
    one = sv.explore(drawn(t5()), of_transformers(), TEXT, target="it did", layers=[1])
    assert [kind.numbers for kind in one.kinds.values()] == [(1,)] * 3


def test_layers_that_would_not_be_told_by_their_numbers():
    model = drawn(Stacked(Stage))
    assert len(sv.explore(model, PIECES, TEXT, layers=[0, 1]).kinds) == 2
    with pytest.raises(ValueError, match=r"layers: 'layers\.0\.blocks\.1', 'lay.* alone do"):
        sv.explore(model, PIECES, TEXT, layers=[1])


# ---- refusals
def test_more_tokens_than_positions():
    long = " ".join(["tired"] * 40)
    config = BERT | {"max_position_embeddings": 12}
    roberta = transformers.RobertaModel(transformers.RobertaConfig(**config, pad_token_id=1))
    for model, most in ((bert(max_position_embeddings=12), 12), (roberta, 10)):
        fits = "was " * (most - 2)
        assert sv.explore(model, of_transformers(), fits).here.shape == (most, most)
        message = (
            f"text: has {most + 1} tokens, but {type(model).__name__} has {most} positions: shorten"
        )
        with pytest.raises(ValueError, match=message):
            sv.explore(model, of_transformers(), f"{fits} was")
    with pytest.raises(ValueError, match="target: has 42 tokens, but BartDecoder has 32 positions"):
        sv.explore(bart(), of_transformers(), TEXT, target=long)
    with pytest.raises(ValueError, match="text and text_pair: has 17 tokens"):
        sv.explore(own_bert(), PIECES, "was " * 7, "was " * 7)


class Places(nn.Module):
    """A model whose table of positions only its own code knows."""

    def __init__(self, rows):
        super().__init__()
        self.letters, self.places = nn.Embedding(30, 16), nn.Embedding(rows, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, ids):
        return self.encoder(self.letters(ids) + self.places(torch.arange(ids.shape[1])))


def test_more_tokens_than_a_models_own_table_has_rows():
    model, letters = Places(8).eval(), sv.data.Vocabulary("abcdefgh")
    message = "has 9 tokens, and Places looks up a row that a table of it does not have"
    for show in (sv.explore, sv.machine):
        with pytest.raises(ValueError, match=message):
            show(model, letters, "abcdefgha")
    for view in (sv.explore(model, letters, "abc"), sv.machine(model, letters, "abc")):
        with pytest.raises(ValueError, match=message):
            view.text = "abcdefgha"
    with pytest.raises(ValueError, match=r"sentences\[1\]: has 9 tokens"):
        sv.atlas(model, letters, ["abc", "abcdefgha"], progress=False)


def test_a_tokenizer_of_another_model():
    model = transformers.BertModel(transformers.BertConfig(**BERT | {"vocab_size": 15}))
    size = 5 + len(WORDS)
    message = rf"tokenizer: its vocabulary of {size} tokens does not fit BertModel, with 15 rows"
    for tokenizer in (of_transformers(), words_tokenizer()):
        with pytest.raises(ValueError, match=message):
            sv.explore(model, tokenizer, "the")
    padded = transformers.BertModel(transformers.BertConfig(**BERT | {"vocab_size": 64}))
    assert sv.explore(padded, of_transformers(), TEXT).here.heads == 4
    tokenizer = of_transformers()
    tokenizer.add_tokens([f"new{k}" for k in range(40)])
    assert sv.explore(bert(), tokenizer, TEXT).here.heads == 4, "nobody reads the new ones"
    with pytest.raises(ValueError, match=r"40 rows of embeddings \(its id 58 is among those of te"):
        sv.explore(bert(), tokenizer, "the new39")


def test_a_model_that_reads_no_text_or_never_attends():
    vit = transformers.ViTModel(
        transformers.ViTConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
                               intermediate_size=8, image_size=8, patch_size=4)
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"model: ViTModel reads pixel_values, .* give inputs="):
        sv.explore(vit, of_transformers(), TEXT)
    pixels = torch.randn(1, 3, 8, 8)
    patches = ["[CLS]", *"abcd"]
    view = sv.explore(vit, inputs=lambda text: ({"pixel_values": pixels}, patches), text="a cat")
    assert view.here.shape == (5, 5)
    assert view.facts["reads"] == "picture"
    for model in (nn.LSTM(3, 4), sv.nn.GRU(3, 4), sv.nn.LanguageModel(len(ENGLISH), 4)):
        with pytest.raises(ValueError, match=rf"model: {type(model).__name__} never attends"):
            sv.explore(model, ENGLISH, TEXT)
    with pytest.raises(ValueError, match="Seq2Seq never attends"):
        sv.explore(translator(attention=None), (ENGLISH, FRENCH), TEXT, target="il")


def translator(**options):
    return drawn(sv.nn.Seq2Seq(len(ENGLISH), len(FRENCH), 6, 8, **options))


def test_gpt2_opens_and_takes_no_target_and_a_base_model_writes_none():
    with pytest.raises(ValueError, match="target: missing: BartModel has no head that writes"):
        sv.explore(bart().model, of_transformers(), TEXT)
    tokenizer = of_transformers(words_tokenizer(frame=False), unk_token="[UNK]")
    answer = runner(drawn(gpt2()), tokenizer)(TEXT)
    assert len(answer["guesses"]) == 5
    assert sv.explore(drawn(gpt2()), tokenizer, TEXT).here.causal
    with pytest.raises(ValueError, match="target: GPT2LMHeadModel is no encoder with a decoder of"):
        sv.explore(gpt2(), tokenizer, TEXT, target="il")
