"""What attention heads do over many sentences: weights in, scores out; knows no model."""

from seqviz.heads.sentences import Sentence, sentence_of
from seqviz.heads.survey import Survey

__all__ = ["Sentence", "Survey", "sentence_of"]
