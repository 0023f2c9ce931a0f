"""Calls of a model with an encoder and a decoder: the source, and a target, given or written."""

import torch
from torch import Tensor, nn

from seqviz.decoding.beam_search import beam
from seqviz.decoding.one_path import greedy
from seqviz.nn.seq2seq import Seq2Seq
from seqviz.nn.transformer_seq2seq import TransformerSeq2Seq
from seqviz.running.calling import Call, inputs_of, of_sides, parameters_of
from seqviz.running.limits import Limits
from seqviz.running.rest import device_of, moved
from seqviz.running.tokenizing import Reader, Reading

LONGEST = 40  # tokens that a model writes of its own


class Translation:
    """Calls a model of transformers; without a target it writes one, greedily."""

    def __init__(
        self,
        model: nn.Module,
        readers: tuple[Reader, Reader],
        pair: str | None,
        target: str | None,
    ):
        self.model, self.pair, self.target = model, pair, target
        self.reads, self.writes = readers
        encoder, decoder = model.get_encoder(), model.get_decoder()
        self.encoder, self.decoder = Limits.of(encoder), Limits.of(decoder)
        self.takes = parameters_of(model)
        can_write = hasattr(model, "generate") and model.can_generate()
        if target is None and not can_write:
            raise ValueError(
                f"target: missing: {type(model).__name__} has no head that writes a text: give "
                "target=, the decoder's text"
            )

    def __call__(self, text: str) -> Call:
        """Return the call for a source."""
        reading = self.reads.read(text, self.pair)
        self.encoder.check("text", reading, self.reads)
        given = inputs_of(reading, self.takes)
        ids = self._written(given) if self.target is None else self._shifted()
        target = Reading(ids, self.writes.names(ids))
        tokens = of_sides(self.reads, self.writes, encoder_tokens=reading, decoder_tokens=target)
        return Call(text, given | {"decoder_input_ids": torch.tensor([ids])}, tokens)

    @property
    def rule(self) -> tuple[list[int], list[int], int]:
        """How the model writes: the ids that it begins with, those that end it, how many."""
        ends = self.model.generation_config.eos_token_id
        return [self._start()], ends if isinstance(ends, list) else [ends], _room(self.decoder)

    def _written(self, given: dict[str, Tensor]) -> list[int]:
        """What the model writes, START in front, without the end that nobody reads."""
        found = self.model.generate(
            **moved(given, device_of(self.model)),
            max_new_tokens=_room(self.decoder),
            do_sample=False,
            num_beams=1,
            return_dict_in_generate=False,
        )
        *before, last = found[0].tolist()
        return before if before and last in self.rule[1] else [*before, last]

    def _shifted(self) -> list[int]:
        """The target one place to the right, behind START: what a decoder reads."""
        reading = self.writes.read(self.target, target=True)
        self.decoder.check("target", reading, self.writes)
        ids, closed = reading.ids, reading.tokens[-1] in self.writes.special
        labels = ids if closed else [*ids, ids[-1]]  # the last one falls out
        if hasattr(self.model, "prepare_decoder_input_ids_from_labels"):
            labels = torch.tensor([labels], device=device_of(self.model))
            ids = self.model.prepare_decoder_input_ids_from_labels(labels)[0].tolist()
        else:
            ids = [self._start(), *labels[:-1]]
        self.decoder.check_length("target", len(ids))
        return ids

    def _start(self) -> int:
        config = self.model.config
        configs = [config, config.get_text_config(decoder=True)]
        names = ("decoder_start_token_id", "bos_token_id", "pad_token_id")
        known = (getattr(one, name, None) for name in names for one in configs)
        start = next((number for number in known if number is not None), None)
        if start is None:
            raise ValueError(
                "model: its decoder needs a first token: set model.config.decoder_start_token_id"
            )
        return start


class Translator:
    """Calls a translator of `seqviz.nn`; without a target it writes one.

    Attributes
    ----------
    beams : int
        Hypotheses that it keeps while it writes; 1 is greedy. Those that ended are ranked by the
        mean of their log-probabilities.
    """

    def __init__(
        self,
        model: Seq2Seq | TransformerSeq2Seq,
        readers: tuple[Reader, Reader],
        target: str | None,
    ):
        self.model, self.pair, self.target, self.beams = model, None, target, 1
        self.reads, self.writes = readers
        self.start, self.stop = model.start_idx, getattr(self.writes, "stop", None)
        self.recurrent = isinstance(model, Seq2Seq)
        if self.recurrent:
            tables = model.encoder.embedding, model.decoder.embedding
        else:
            tables = model.source_embedding, model.target_embedding
        self.encoder, self.decoder = (Limits.of(model, table) for table in tables)

    def __call__(self, text: str) -> Call:
        """Return the call for a source."""
        reading = self.reads.read(text)
        self.encoder.check("text", reading, self.reads)
        target = self._written(reading) if self.target is None else self.given
        self.decoder.check("target", target, self.writes)
        names = ("key_tokens", "tokens") if self.recurrent else ("encoder_tokens", "decoder_tokens")
        sides = dict(zip(names, (reading, target), strict=True))
        arguments = torch.tensor([reading.ids]), torch.tensor([target.ids])
        return Call(text, arguments, of_sides(self.reads, self.writes, **sides))

    @property
    def rule(self) -> tuple[list[int], list[int], int]:
        """How the model writes: the ids that it begins with, those that end it, how many."""
        return [self.start], [] if self.stop is None else [self.stop], _room(self.decoder)

    @property
    def given(self) -> Reading:
        """The target that was given, behind START."""
        return self._begun(self.writes.read(self.target, target=True))

    def _written(self, source: Reading) -> Reading:
        """What the model reads while it writes; a step is called what is written there."""
        state = self.model.encode(torch.tensor([source.ids], device=device_of(self.model)))
        room, stop, step = _room(self.decoder), self.stop, self.model.step
        how = {"stop": stop, "state": state}
        if self.beams == 1:
            ids = greedy(step, [self.start], room, **how)
        else:
            how |= {"select": self.model.select, "width": self.beams, "length_penalty": 1.0}
            ids = beam(step, [self.start], room, **how).best
        return Reading([self.start, *ids[:-1]], self.writes.names(ids))

    def _begun(self, target: Reading) -> Reading:
        """The target behind START."""
        if target.ids[:1] == [self.start]:
            return target
        tokens = [*self.writes.names([self.start]), *target.tokens]
        words = None if target.words is None else [None, *target.words]
        return Reading([self.start, *target.ids], tokens, words)


def _room(decoder: Limits) -> int:
    """How many tokens a decoder writes at most."""
    return LONGEST if decoder.positions is None else min(LONGEST, decoder.positions - 1)
