"""Weights of a softmax that were changed before they weighed a sum: what was seen, and the fix."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

CHANGES = (  # functions after which a softmax's weights are others
    *("add", "radd", "iadd", "sub", "rsub", "isub", "maximum", "minimum", "clamp", "pow", "square"),
    *("sqrt", "log", "relu", "threshold", "cumsum", "round", "amax", "max", "median", "topk"),
    *("sort", "gather", "take_along_dim", "scatter", "index_put", "index_copy", "roll", "flip"),
)
EXP = "exp"
ONE_BY_ONE = ("add", "radd", "iadd", "stack", "cat", "concat")
TAKEN = ("numpy", "array", "tolist", "item")
NO_SOFTMAX = "no softmax"
CHOICES = ("topk", "sort", "gather", "take_along_dim", "scatter")
FIXES = {
    EXP: "divide first, a = e / e.sum(-1, keepdim=True), or call torch.softmax",
    **dict.fromkeys(
        ("add", "radd", "iadd", "sub", "rsub", "isub"),
        "add it to the scores, before the softmax",
    ),
    **dict.fromkeys(
        ("add of two softmaxes", "sub of two softmaxes"),
        "let each weigh the values, then do that with the two sums",
    ),
    **dict.fromkeys(
        CHOICES,
        "keep whole rows: set the scores of what is not chosen to -inf before the softmax, and let "
        "its rows weigh all values",
    ),
}
WEIGH = "write the sum as weights @ values"
USUAL = "let weights that are not negative and sum to 1 weigh the values"


@dataclass(frozen=True)
class Changed:
    """What became of a softmax: the function that changed it, and how many keys it was over.

    Attributes
    ----------
    by : str
    keys : int
    sure : bool
        Whether it weighed a sum.
    apart : bool
        Whether the products of its weights with values were added one by one.
    """

    by: str
    keys: int
    sure: bool = True
    apart: bool = False

    @property
    def reason(self) -> str:
        """What was seen up to where, and the fix."""
        fix = FIXES.get(self.by, USUAL)
        if self.by == EXP:
            return f"exp(x) weighed a sum before it was divided by its own sum, if it was: {fix}"
        if self.by == NO_SOFTMAX:
            return (
                f"weights over {self.keys} keys that sum to 1 weighed a sum, and no softmax made "
                "them (sparsemax, or a relu divided by its sum, would): let forward return them, "
                "and give them to sv.view.attention"
            )
        if self.apart:
            return (
                f"a softmax over {self.keys} keys was seen, and products of single weights with "
                f"values went into {self.by}: {WEIGH}, with the weights of all keys in one tensor"
            )
        if not self.sure:
            return (
                f"a softmax over {self.keys} keys was seen, and {self.by} took its weights: if it "
                f"weighed a sum, {WEIGH}"
            )
        return (
            f"a softmax over {self.keys} keys was seen, but {self.by} changed its weights before "
            f"they weighed a sum: {fix}"
        )


def listed(reasons: Mapping[str, str], paths: Collection[str] | None = None) -> str:
    """Reasons by the modules in which they were seen, as the end of a sentence."""
    said = [
        f"; in module {path!r} {reason}"
        for path, reason in reasons.items()
        if paths is None or path in paths
    ]
    return "".join(said)
