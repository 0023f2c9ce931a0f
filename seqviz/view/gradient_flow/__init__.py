"""The norm of a gradient at each time step."""

from seqviz.view.gradient_flow.widget import GradientFlow, gradients

__all__ = ["GradientFlow", "gradients"]
