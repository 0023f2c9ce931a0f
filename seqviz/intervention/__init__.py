"""Change what happens inside a model while it runs: heads silenced, states replaced."""

from seqviz.intervention.ablation import Ablation, ablate
from seqviz.intervention.patching import patch

__all__ = ["Ablation", "ablate", "patch"]
