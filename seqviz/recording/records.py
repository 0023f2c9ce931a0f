"""What a run left behind: named arrays, by module and by call."""

import json
import warnings
from collections.abc import Iterable, Mapping
from os import PathLike

import numpy as np

from seqviz.arguments import checked_integer, checked_name, checked_path
from seqviz.files import replacing
from seqviz.recording.named_array import NamedArray

WARN_BYTES = 2**30
WEIGHTS = ("W_hh", "b_hh")  # mostly the same at every call
NONE_YET = (
    "no gradient has come yet. Call loss.backward() on what the recorded call gave, then read "
    "them; a call under torch.no_grad(), or in a checkpoint with use_reentrant=True, has none"
)
NAN_ONLY = (
    "a backward pass has come, and every gradient in it is NaN: look whether the loss is NaN or "
    "infinite"
)


class NoGradient(ValueError, AttributeError):
    """Gradients were asked for and there is no number to read; ``hasattr`` takes it for False."""


class Record:
    """What a run left behind: an attribute for each kind kept, such as ``rec.hidden``.

    Each is a dict from a module's path to the list of its calls in order, as NamedArrays. The
    path of the model itself is "". ``nbytes`` is the size of all arrays; ``backward`` says whether
    a gradient has come. The axis layer has layers * directions places in torch's order: layer 0,
    layer 0 in reverse, layer 1, ... An array has the caller's order of sequences; a recurrent
    net's is zero where one has ended.

    Attributes
    ----------
    hidden, cell : layer, time, batch, unit
        h and, of an LSTM, c after each time.
    gates : layer, gate, time, batch, unit
        i, f, g, o of an LSTM; r, z, n of a GRU.
    gradients, cell_gradients : layer, time, batch
        After ``loss.backward()`` the norm over the units of d loss / d h_t and d loss / d c_t, by
        every path. Passes add up, as in ``.grad``: after several, that of the sum of the losses.
    attention : batch, head, query, key
        The weights before dropout; a batch of 1 of input without one. A decoder's steps without
        heads on the same keys are one call. Where the rows of a batch are chosen anew between the
        steps of a decoding, the first axis is named beam. Where the oldest keys of a generation
        have been dropped, the keys are labelled with their positions. A sum over something else
        than positions has "choice" in place of key, and "batch and head" is an axis of both that
        could not be told apart. Attention in blocks has an axis "block"; cut out by
        ``at(block=1)``, a block's queries and keys are labelled with their positions if its blocks
        slide over a text, with rows and columns, as "r3 c5", if they are windows of a picture (the
        blocks have names then, as "rows 0-3, columns 4-7"), "" outside either; else with their
        places, as "3 of block 1". Positions that all attend to beside the blocks, as Longformer's
        global tokens, are a call of its own before, and what these attend to is one behind.
    contexts : batch, head, query, unit
        What each head takes from the values, before the output projection.
    states : layer, batch, time, unit
        The stream by the list of blocks that hands it on, such as "encoder.layer": a row for what
        the first block reads, labelled "embeddings", and one behind each call of a block, "0", "1",
        ... A list's pass is a call; a block that is called several times has a row for each.
    missed : dict
        By module, why weights of a softmax that was seen there are not in ``attention``.
    from_input, W_hh, b_hh, start, lengths
        What :meth:`traces` needs beside the gates.
    """

    def __init__(self, kinds: Mapping[str, Iterable[str]], cells: Mapping[str, str]):
        self._kept = {kind: {path: [] for path in paths} for kind, paths in kinds.items()}
        self.cells = dict(cells)
        self.missed: dict[str, str] = {}
        self.nbytes = 0
        self.backward = False

    def gradient_came(self) -> None:
        """Note that a backward pass has brought a gradient."""
        self.backward = True

    def __getattr__(self, name: str) -> dict[str, list[NamedArray]]:
        kept = self.__dict__.get("_kept", {})
        if name not in kept:
            raise AttributeError(f"this record has no {name!r}; it keeps {', '.join(kept)}")
        if name.endswith("gradients"):
            calls = [call for calls in kept[name].values() for call in calls if call.values.size]
            if (calls or name == "gradients") and all(np.isnan(c.values).all() for c in calls):
                raise NoGradient(f"{name}: {NAN_ONLY if self.backward else NONE_YET}")
        return kept[name]

    @property
    def kinds(self) -> list[str]:
        """What is kept."""
        return list(self._kept)

    def __repr__(self) -> str:
        parts = [
            f"{kind}[{path!r}]: {len(calls)} call{'s' * (len(calls) != 1)}"
            for kind, modules in self._kept.items()
            for path, calls in modules.items()
        ]
        return f"Record({'; '.join(parts)})"

    def __dir__(self) -> list[str]:
        """Names for tab completion, the kinds among them."""
        return [*super().__dir__(), *self.kinds]

    def keep(
        self, kind: str, path: str, call: NamedArray, stacklevel: int = 1, along: str | None = None
    ) -> None:
        """Append one call's array, with a warning when the record passes 1 GB.

        It goes on with the last one if an axis is named to go on along. Weights that are equal to
        those of the call before are held once.
        """
        before = self.nbytes
        if along is None:
            self._append(kind, path, call)
        else:
            self._lengthen(kind, path, call, along)
        if before <= WARN_BYTES < self.nbytes:
            warnings.warn(
                f"the record of {kind!r} grows beyond {WARN_BYTES / 2**30:g} GB: record fewer "
                "calls, a smaller batch, a shorter sequence, or fewer kinds with keep=",
                stacklevel=stacklevel + 1,
            )

    def _append(self, kind: str, path: str, call: NamedArray) -> None:
        calls = self._kept[kind].setdefault(path, [])
        if kind in WEIGHTS and calls and np.array_equal(calls[-1].values, call.values):
            calls.append(calls[-1])
            return
        calls.append(call)
        self.nbytes += call.values.nbytes

    def _lengthen(self, kind: str, path: str, call: NamedArray, along: str) -> None:
        calls = self._kept[kind][path]
        values = np.concatenate([calls[-1].values, call.values], call.dims.index(along))
        calls[-1] = NamedArray(values, call.dims, call.labels)
        self.nbytes += call.values.nbytes

    def traces(
        self, path: str | None = None, *, layer: int | str = 0, item: int = 0, call: int = 0
    ) -> dict[str, str | np.ndarray]:
        """One layer's run on one sequence, as ``sv.view.gates`` takes it.

        Parameters
        ----------
        path : str, optional
            The module, if the record holds several.
        layer : int or str
            Place on the layer axis: its number from 0, or its label, such as "0 reverse".
        item, call : int
            Place in the batch and among the module's calls, from 0.

        Returns
        -------
        dict
            "cell": "RNN tanh", "RNN relu", "LSTM", "GRU" or "GRU reset before". The states "h" and
            "c" and the gates by letter, (time, unit); "h_0", "c_0" (unit,); and of the equation
            "from_input" (time, gate * unit), "W_hh" (gate * unit, unit), "b_hh" (gate * unit,):
            what goes into the gates is from_input_t + W_hh h_{t-1} + b_hh. "reverse" is there,
            and True, if the layer reads from the last step to the first.

        Raises
        ------
        TypeError
            If `call` is no integer or `path` no string.
        ValueError
            If the record does not hold it, or was made without "hidden", "cell" and "gates".
        """
        if not self.cells:
            raise ValueError("traces are of an RNN, LSTM or GRU, and this record has none")
        missing = {"hidden", "cell", "gates"} - self._kept.keys()
        if missing:
            raise ValueError(
                f"traces need {' and '.join(sorted(missing))} as well: record with "
                'keep=("hidden", "cell", "gates")'
            )
        if path is None:
            if len(self.cells) != 1:
                raise ValueError(f"path must be one of {list(self.cells)}: there are several")
            (path,) = self.cells
        checked_name("path", path, self.cells)
        call, calls = checked_integer("call", call), len(self.hidden.get(path, ()))
        if not -calls <= call < calls:
            raise ValueError(f"call must be a number below {calls}, the calls made; got {call}")

        def cut(kind: str, **places) -> np.ndarray:
            return self._kept[kind][path][call].at(layer=layer, **places).values

        T = int(self.lengths[path][call].at(batch=item).values)
        traces = {"cell": self.cells[path], "from_input": cut("from_input", batch=item)[:T]}
        hidden = self.hidden[path][call]
        if hidden.labels["layer"][hidden.number("layer", layer)].endswith("reverse"):
            traces["reverse"] = True
        for k, letter in enumerate(self.start[path][call].labels["state"]):
            kind = "cell" if letter == "c" else "hidden"
            traces[letter] = cut(kind, batch=item)[:T]
            traces[f"{letter}_0"] = cut("start", state=k, batch=item)
        if path in self.gates:
            for letter in self.gates[path][call].labels["gate"]:
                traces[letter] = cut("gates", gate=letter, batch=item)[:T]
        return traces | {"W_hh": cut("W_hh"), "b_hh": cut("b_hh")}

    def save(self, path: str | PathLike) -> None:
        """Write the record to an npz file, exactly at `path`."""
        about = {
            kind: {
                name: [
                    {"dims": of.dims, "labels": dict(of.labels), "in_blocks": dict(of.in_blocks)}
                    for of in calls
                ]
                for name, calls in modules.items()
            }
            for kind, modules in self._kept.items()
        }
        arrays = [
            call.values
            for modules in self._kept.values()
            for calls in modules.values()
            for call in calls
        ]
        header = json.dumps({"cells": self.cells, "kinds": about, "backward": self.backward})
        with replacing(checked_path("path", path)) as file:
            np.savez(file, *arrays, header=np.array(header))

    @classmethod
    def load(cls, path: str | PathLike) -> "Record":
        """Read a record that :meth:`save` wrote.

        Raises
        ------
        ValueError
            If the file is not a record.
        """
        with checked_path("path", path).open("rb") as stored:
            try:
                file = np.load(stored, allow_pickle=False)
                header = json.loads(str(file["header"]))
                rec = cls(header["kinds"], header["cells"])
                rec.backward = header["backward"]
                names = (f"arr_{i}" for i in range(len(file.files)))
                for kind, modules in header["kinds"].items():
                    for module, calls in modules.items():
                        for about in calls:
                            labels = {dim: tuple(names) for dim, names in about["labels"].items()}
                            blocks = about.get("in_blocks", {}).items()
                            blocks = {dim: tuple(map(tuple, of)) for dim, of in blocks}
                            values, dims = file[next(names)], tuple(about["dims"])
                            call = NamedArray(values, dims, labels, blocks)
                            rec._append(kind, module, call)
            except Exception as error:
                raise ValueError(
                    f"{path} is not a record, or it is damaged: name a file that Record.save wrote"
                ) from error
        return rec
