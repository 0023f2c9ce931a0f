"""The norm of a gradient at each time step."""

from seqviz.views.gradients.widget import GradientFlow, gradients

__all__ = ["GradientFlow", "gradients"]
