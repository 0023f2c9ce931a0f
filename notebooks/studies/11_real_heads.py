"""Where four heads of a real pretrained encoder attend: the sentences of the decks, and a control.

The encoder is all-MiniLM-L6-v2 (6 layers of 12 heads, BERT's architecture), read by transformers
from a local folder, or from the model hub. "The animal didn't cross the street ..." is deck 004's
sentence, its "wide" twin the control; the two others are those of the figures that decks 002 and
003 take from Vaswani et al. 2017, appendix.

Run `python notebooks/studies/11_real_heads.py [folder]`; it writes 11_real_heads.csv (a row for
each query of each head) beside itself.
"""

import csv
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import torch
import transformers

import seqviz as sv

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
SENTENCES = {
    "tired": "The animal didn't cross the street because it was too tired",
    "wide": "The animal didn't cross the street because it was too wide",
    "law": (
        "The Law will never be perfect, but its application should be just - this is what we are "
        "missing, in my opinion"
    ),
    "making": (
        "It is in this spirit that a majority of American governments have passed new laws since "
        "2009 making the registration or voting process more difficult."
    ),
}
HEADS = ((2, 1), (3, 1), (5, 9), (5, 11))  # layer and head, from 0
VERSIONS = {
    "torch": torch.__version__.split("+")[0],
    "transformers": transformers.__version__,
    "python": platform.python_version(),
}


@torch.no_grad()
def maps(folder: str) -> Iterator[dict]:
    """A row for each query: the weights of its head over all tokens.

    In the row of a sentence's first query stands, too, the most that any of the 72 heads gives
    from "it" to "street".
    """
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertModel.from_pretrained(folder).eval()
    for name, sentence in SENTENCES.items():
        began = time.process_time()
        inputs = tokenizer(sentence, return_tensors="pt")
        with sv.record(model) as rec:
            model(**inputs)
        seconds = time.process_time() - began
        tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
        alpha = torch.stack([torch.tensor(call.values)[0] for (call,) in rec.attention.values()])
        most = ""
        if "street" in tokens:
            most = f"{alpha[:, :, tokens.index('it'), tokens.index('street')].max().item():.4f}"
        for layer, head in HEADS:
            for token, weights in zip(tokens, alpha[layer, head].tolist(), strict=True):
                yield {
                    "sentence": name,
                    "layer": layer,
                    "head": head,
                    "token": token,
                    "weights": " ".join(f"{weight:.4f}" for weight in weights),
                    "it_to_street_most": most,
                    "seconds": f"{seconds:.2f}",
                    "model": MODEL,
                    **VERSIONS,
                }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    rows = list(maps(sys.argv[1] if len(sys.argv) > 1 else MODEL))
    with Path(__file__).with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
