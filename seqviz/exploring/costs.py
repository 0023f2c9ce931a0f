"""What it costs a model to run without one head: at each token of a text."""

import numpy as np
from torch import Tensor

from seqviz.running.calling import Call
from seqviz.running.runner import Runner
from seqviz.views.attention.guesses import shifts

NOTHING_SAID = (
    "cost: the model gives neither words nor states at each token, so nothing tells what is lost"
)


class Costs:
    """Runs a model without one head after another, when it is asked.

    Parameters
    ----------
    runner : Runner
    """

    def __init__(self, runner: Runner):
        self.runner = runner
        self._known: tuple[Call, str, Tensor] | None = None  # a call, and what all heads say there

    def __call__(self, text: str, family: str, layer: int, head: int) -> np.ndarray:
        """Return what is lost at each token: of its likeliest word's log-probability, in nats.

        Without words how far the token's last state turns, 1 - cosine.

        Raises
        ------
        ValueError
            If the model says nothing at each token.
        """
        name, before = self._with_all(text)
        self.runner(text, [(family, layer, head)])
        after = self.runner.said[1].float().cpu()
        if name == "states":
            return np.array(shifts(before.double().numpy(), after.double().numpy()))
        best = before.argmax(-1, keepdim=True)
        chances = [said.log_softmax(-1).gather(-1, best) for said in (before, after)]
        return (chances[0] - chances[1])[:, 0].numpy()

    def _with_all(self, text: str) -> tuple[str, Tensor]:
        call = self.runner.call
        if self._known is None or call is not self._known[0] or call.text != text:
            self.runner(text)
            if self.runner.said is None:
                raise ValueError(NOTHING_SAID)
            name, rows = self.runner.said
            self._known = self.runner.call, name, rows.float().cpu()
        return self._known[1:]
