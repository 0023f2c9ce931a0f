"""Many sentences through a model: with a bar, safe to interrupt, resumed where it was."""

import hashlib
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from torch import nn
from tqdm.std import tqdm

from seqviz.files import write
from seqviz.heads import Sentence, Survey
from seqviz.heads.examples import examples_of, ranks_of, rows_of
from seqviz.heads.kinds import KINDS, kinds_of
from seqviz.heads.scores import SCORES, scores_of, words_of
from seqviz.heads.sentences import PLACES
from seqviz.interrupting import Interrupt
from seqviz.running.self_attention import SelfAttention

EVERY = 200  # sentences between two saves
FORMAT = 1


class Sentences:
    """The run of an atlas.

    Parameters
    ----------
    attending : SelfAttention
    texts : list of str
    path : Path or None
        Of the checkpoint.
    progress : bool
    """

    def __init__(
        self, attending: SelfAttention, texts: list[str], path: Path | None, progress: bool
    ):
        self.attending, self.texts = attending, texts
        self.path, self.progress = path, progress
        self.survey: Survey | None = None
        self.heads: list[tuple[int, int]] = []
        self.at = 0  # the sentence that comes next
        self.kept: list[int] = []  # those that were added
        self.cut = 0

    # ---- all sentences
    def survey_all(self) -> None:
        """Run every sentence, or those that a checkpoint has not."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists():
                self._resume()
        resumed = self.at
        with Interrupt() as interrupt, self._bar(len(self.texts), resumed, "sentence") as bar:
            while self.at < len(self.texts) and not interrupt.asked:
                self._add(self.at)
                self.at += 1
                bar.update()
                if self.path is not None and self.at % EVERY == 0:
                    self._save()
        if self.path is not None and self.at > resumed:
            self._save()
        if self.at < len(self.texts):
            saved = f"saved in {self.path}" if self.path else "no checkpoint was asked for"
            print(f"Interrupted after sentence {self.at} of {len(self.texts)}; {saved}.")
        if not self.kept:
            raise ValueError(
                f"sentences: none of the {self.at} that were run has a word behind its first "
                "token: give longer ones"
            )

    def _bar(self, total: int, begun: int, unit: str) -> tqdm:
        return tqdm(
            total=total,
            initial=begun,
            file=sys.stdout,
            mininterval=0.5,
            ncols=80,
            unit=unit,
            disable=not self.progress or begun >= total,
        )

    def _run(self, k: int) -> tuple[np.ndarray, Sentence] | None:
        """A sentence's weights and words; an error names it."""
        try:
            found = self.attending(self.texts[k])
        except ValueError as error:
            told = str(error)
            if told.startswith(("model:", "tokenizer:")):
                raise
            raise ValueError(f"sentences[{k}]: {told.removeprefix('text: ')}") from error
        if found is not None and self.heads and self.attending.heads != self.heads:
            raise ValueError(
                f"sentences[{k}]: {len(self.attending.heads)} heads attend to it, to those before "
                f"{len(self.heads)}: expected the same ones for all"
            )
        return found

    def _add(self, k: int) -> None:
        found = self._run(k)
        if found is None:
            return
        maps, sentence = found
        if self.survey is None:
            self.survey, self.heads = Survey(len(maps)), self.attending.heads
        if self.survey.add(maps, sentence):
            self.kept.append(k)
            self.cut += self.attending.was_cut

    # ---- a checkpoint
    def _belongs(self) -> str:
        """What tells the sentences and the model from others."""
        found = hashlib.sha256(json.dumps(self.texts).encode())
        model: nn.Module = self.attending.run.model
        for name, weight in model.state_dict().items():
            total = float(weight.double().sum()) if hasattr(weight, "double") else 0
            found.update(f"{name} {tuple(getattr(weight, 'shape', ()))} {total:.9g}".encode())
        return found.hexdigest()

    def _save(self) -> None:
        state = {"arrays": {}, "told": None} if self.survey is None else self.survey.state()
        told = {"format": FORMAT, "belongs": self._belongs(), "survey": state["told"]}
        told |= {"at": self.at, "kept": self.kept, "cut": self.cut, "heads": self.heads}
        write(self.path, archive(state["arrays"], told))

    def _resume(self) -> None:
        try:
            with np.load(self.path, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            told = json.loads(arrays.pop("told").tobytes())
            belongs, again = told["belongs"], told["format"] == FORMAT
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            raise ValueError(
                f"checkpoint: {self.path} is damaged, or none of sv.atlas ({error}): delete it, or "
                "name another file"
            ) from error
        if belongs != self._belongs() or not again:
            raise ValueError(
                f"checkpoint: {self.path} is of another model or of other sentences: give those, "
                "or name another file"
            )
        self.at, self.kept, self.cut = told["at"], told["kept"], told["cut"]
        self.heads = [tuple(head) for head in told["heads"]]
        self.survey = Survey.restored(arrays, told["survey"]) if told["survey"] else None
        print(f"Resumed from {self.path} after sentence {self.at}.")

    # ---- what was found
    def found(self) -> dict[str, np.ndarray]:
        """What `sv.view.atlas` takes: arrays by name; "told" is JSON."""
        survey = self.survey
        scores = scores_of(survey)
        strongest = np.array(survey.strongest)
        linked = np.flatnonzero(strongest.max(axis=1) > 0)  # a single word has no link
        linked = linked if len(linked) else np.arange(len(strongest))
        chosen = linked[examples_of(strongest[linked])]
        shown, rows, begins = self._examples(chosen)
        order = {k: n for n, k in enumerate(shown)}
        told = {
            "format": FORMAT,
            "model": self.attending.name,
            "heads": [list(head) for head in self.heads],
            "scores": list(SCORES),
            "places": list(PLACES),
            "kinds": [[one.name, one.score, one.least, one.times] for one in KINDS],
            "sentences": len(self.kept),
            "given": len(self.texts),
            "run": self.at,
            "cut": self.cut,
            "words": survey.words,
            "causal": survey.causal,
            "ranked": len(linked),
            "ranks": ranks_of(len(linked)),
            "texts": [sentence.texts for sentence in shown.values()],
            "special": [np.flatnonzero(one.special).tolist() for one in shown.values()],
            **ends_of([*shown.values()]),
            **words_of(survey),
        }
        done = np.array(survey.done)
        each = np.arange(len(chosen))[:, None]
        arrays = {
            "values": scores.values,
            "even": scores.even,
            "held": kinds_of(scores, len(self.kept)).astype(np.uint8),
            "most": scores.most.astype(np.int32),
            "profile": scores.profile,
            "reach": scores.reach,
            "sentence": np.vectorize(order.__getitem__, otypes=[np.int32])(chosen),
            "does": done[chosen, each],
            "link": strongest[chosen, each],
            "begins": begins,
            "rows": rows,
        }
        small = {
            name: one.astype(np.float32) if one.dtype.kind == "f" else one
            for name, one in arrays.items()
        }
        return small | {"told": as_bytes(told)}

    def _examples(self, chosen: np.ndarray) -> tuple[dict[int, Sentence], np.ndarray, np.ndarray]:
        """The sentences that are shown, and of each head's the strongest weights of its rows."""
        shown: dict[int, Sentence] = {}
        rows: dict[tuple[int, int], np.ndarray] = {}
        for k in self._each(np.unique(chosen)):
            maps, shown[k] = self._run(self.kept[k])
            for head, rank in np.argwhere(chosen == k):
                rows[head, rank] = rows_of(maps[head])
        places = list(np.ndindex(chosen.shape))
        begins = np.cumsum([0, *(rows[place].shape[1] for place in places)])[:-1]
        together = np.concatenate([rows[place] for place in places], axis=1)
        return shown, together, begins.reshape(chosen.shape).astype(np.int32)

    def _each(self, chosen: np.ndarray) -> Iterator[int]:
        with self._bar(len(chosen), 0, "example") as bar:
            for k in chosen.tolist():
                yield k
                bar.update()


def ends_of(sentences: list[Sentence]) -> dict[str, str]:
    """What the first token and the separators are called, if they are the same everywhere."""
    firsts = {sentence.texts[0] for sentence in sentences}
    others = Counter(
        sentence.texts[k]
        for sentence in sentences
        for k in np.flatnonzero(sentence.special)
        if k > 0
    )
    first = firsts.pop() if len(firsts) == 1 and sentences[0].special[0] else ""
    return {"first": first, "separator": next(iter(others), "") if len(others) == 1 else ""}


def as_bytes(told: dict) -> np.ndarray:
    """JSON as an array of bytes."""
    return np.frombuffer(json.dumps(told, separators=(",", ":")).encode(), np.uint8)


def archive(arrays: dict[str, np.ndarray], told: dict) -> bytes:
    """An npz of arrays and of what JSON holds."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays, told=as_bytes(told))
    return file.getvalue()
