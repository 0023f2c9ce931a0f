"""The race of the layer types: which output is computed when, and what it reads."""

from seqviz.views.race.widget import LayerRace, race

__all__ = ["LayerRace", "race"]
