"""Multi30k and SST-2, from files that are made up."""

import gzip
import warnings

import pytest

import seqviz as sv
from seqviz.data import registry
from seqviz.data.captions import caption_words

MADE = {  # of each set: its files, of which those of the test part come last
    "multi30k": {
        "multi30k-train.en.gz": "A dog runs.\nTwo men sit.\n",
        "multi30k-train.fr.gz": "Un chien court.\nDeux hommes sont assis.\n",
        "multi30k-val.en.gz": "The man's hat\n",
        "multi30k-val.fr.gz": "L’homme au t-shirt, près d'un chien\n",
        "multi30k-test_2016_flickr.en.gz": "A cat.\n",
        "multi30k-test_2016_flickr.fr.gz": "Un chat.\n",
    },
    "sst2": {
        "sst2-train.tsv": 'a " fine " film\t1\nwo n\'t do , says lrb she rrb\t0\n',
        "sst2-dev.tsv": "dull\t0",
        "sst2-test.tsv": "good\t1\n",
    },
}
each_set = pytest.mark.parametrize("name", MADE)


@pytest.fixture
def put_text(put):
    def put_text(file, text):
        content = text.encode()
        put(file, gzip.compress(content, mtime=0) if file.endswith(".gz") else content)

    return put_text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Two young, White males.", "two young , white males ."),
        ("L'homme à l’Église", "l' homme à l' église"),
        ("Quelqu'un porte un t-shirt", "quelqu' un porte un t-shirt"),
        ("The man's hat (red)", "the man' s hat ( red )"),
        ('He said: "no"!', 'he said : " no " !'),
        ("a - b-c -d", "a - b-c - d"),
        ("3.5 km/h", "3 . 5 km / h"),
        ("", ""),
    ],
)
def test_words_of_a_caption(text, words):
    assert caption_words(text) == tuple(words.split())


@each_set
def test_the_parts_come_from_the_cache_and_the_test_part_when_it_is_read(name, put_text):
    for file, text in MADE[name].items():
        if "test" not in file:
            put_text(file, text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = sv.data.load(name)
    assert repr(data).startswith(f"Dataset {name} (downloaded): train 2, val 1 items.")
    with pytest.raises(sv.data.DownloadError, match=rf"{name}-test.*could not"):
        data.test  # noqa: B018
    for file, text in MADE[name].items():
        put_text(file, text)
    assert data.test is data.test
    assert "test 1 items" in repr(data)
    if name == "sst2":
        assert data.train == [
            sv.data.Labelled('a " fine " film', 1),
            sv.data.Labelled("wo n't do , says lrb she rrb", 0),
        ]
    else:
        dog = sv.data.Pair(("a", "dog", "runs", "."), ("un", "chien", "court", "."))
        assert (data.train[0], data.val[0].target[:2]) == (dog, ("l'", "homme"))


@each_set
def test_without_a_network_and_files_it_says_what_to_do(name, offline):
    with pytest.raises(sv.data.DownloadError, match="Check the network") as error:
        sv.data.load(name)
    file = next(iter(MADE[name]))
    assert f"put {file} from {registry.REMOTES[file].url} into {offline}" in str(error.value)
    assert list(offline.iterdir()) == []


def test_files_of_unequal_length_are_refused(put_text):
    for file, text in (MADE["multi30k"] | {"multi30k-val.fr.gz": "Un chien.\nUn chat.\n"}).items():
        put_text(file, text)
    with pytest.raises(ValueError, match="zip"):
        sv.data.load("multi30k")
