"""Attention to a source: six scores, a softmax, and the weighted mean of the keys."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seqviz.arguments import (
    checked_device,
    checked_floats,
    checked_name,
    checked_size,
    checked_tensor,
    checked_type,
)
from seqviz.nn.shapes import checked_shape


class Score(nn.Module):
    """How well each key fits each query; what depends on the keys alone is done once.

    Each score maps queries s (batch, steps, query_dim) and what `project` made of the keys h
    (batch, time, key_dim) to e (batch, steps, time).
    """

    def project(self, keys: Tensor) -> Tensor:
        """Prepare the keys of a sentence, for all its queries."""
        return keys


class Cosine(Score):
    """e = cos(s, h) / temperature (content-based; Graves et al. 2014, eq. 5 and 6).

    A cosine is at most 1, so that its softmax stays flat; the temperature, 0.1 at first, is
    learned. It is the exponential of a parameter, and stays above 0.
    """

    def __init__(self):
        super().__init__()
        self.log_temperature = nn.Parameter(torch.tensor(0.1).log())

    def project(self, keys: Tensor) -> Tensor:
        """h / |h|."""
        return F.normalize(keys, dim=-1)

    def forward(self, query: Tensor, projected: Tensor) -> Tensor:
        """Return e."""
        return F.normalize(query, dim=-1) @ projected.mT / self.log_temperature.exp()


class Additive(Score):
    """e = v^T tanh(W s + U h) (Bahdanau et al. 2015, appendix A.1.2; also called concat)."""

    def __init__(self, query_dim: int, key_dim: int, attention_dim: int):
        super().__init__()
        self.W = nn.Linear(query_dim, attention_dim, bias=False)
        self.U = nn.Linear(key_dim, attention_dim, bias=False)
        self.v = nn.Linear(attention_dim, 1, bias=False)

    def project(self, keys: Tensor) -> Tensor:
        """U h."""
        return self.U(keys)

    def forward(self, query: Tensor, projected: Tensor) -> Tensor:
        """Return e."""
        together = self.W(query).unsqueeze(2) + projected.unsqueeze(1)  # (batch, steps, time, d)
        return self.v(together.tanh_()).squeeze(-1)


class Location(Score):
    """e = W s: the place alone counts, not what stands there (Luong et al. 2015, eq. 8)."""

    def __init__(self, query_dim: int, max_length: int):
        super().__init__()
        self.W = nn.Linear(query_dim, max_length, bias=False)

    def project(self, keys: Tensor) -> Tensor:
        """Leave the keys as they are; only their number counts."""
        time, longest = keys.shape[1], self.W.out_features
        if time > longest:
            raise ValueError(
                f"keys must have at most {longest} steps, the max_length of the 'location' score, "
                f"got {time}: give a larger max_length, or take a score that reads the keys"
            )
        return keys

    def forward(self, query: Tensor, projected: Tensor) -> Tensor:
        """Return e."""
        return self.W(query)[..., : projected.shape[1]]


class General(Score):
    """e = s^T W h (Luong et al. 2015, section 3.1; also called multiplicative or bilinear)."""

    def __init__(self, query_dim: int, key_dim: int):
        super().__init__()
        self.W = nn.Linear(key_dim, query_dim, bias=False)

    def project(self, keys: Tensor) -> Tensor:
        """W h."""
        return self.W(keys)

    def forward(self, query: Tensor, projected: Tensor) -> Tensor:
        """Return e."""
        return query @ projected.mT


class Dot(Score):
    """e = s^T h (Luong et al. 2015, section 3.1)."""

    def forward(self, query: Tensor, projected: Tensor) -> Tensor:
        """Return e."""
        return query @ projected.mT


class ScaledDot(Score):
    """e = s^T h / sqrt(n), n numbers in each (Vaswani et al. 2017, eq. 1)."""

    def forward(self, query: Tensor, projected: Tensor) -> Tensor:
        """Return e."""
        return query @ projected.mT / query.shape[-1] ** 0.5


SCORES = {
    "cosine": Cosine,
    "additive": Additive,
    "location": Location,
    "general": General,
    "dot": Dot,
    "scaled dot": ScaledDot,
}


class Attention(nn.Module):
    """A query attends to keys: alpha = softmax(score(s, h_i)), c = sum_i alpha_i h_i.

    The keys are the values as well (decks 000 to 004).

    Parameters
    ----------
    query_dim, key_dim : int
        Numbers in a query s and in a key h_i.
    score : {"cosine", "additive", "location", "general", "dot", "scaled dot"}
        The six of deck 001's table; "cosine", "dot" and "scaled dot" need equal sizes.
    attention_dim : int, optional
        Rows of W and U of the additive score, `query_dim` if not given; no other score has it.
    max_length : int, optional
        The longest source of the location score, which has a weight for each place.

    Raises
    ------
    TypeError
        If a size is not an integer.
    ValueError
        If a size is below one, `score` is unknown, the sizes must be equal and are not, or
        `attention_dim` or `max_length` is missing or of no use.
    """

    def __init__(
        self,
        query_dim: int,
        key_dim: int,
        score: str = "additive",
        attention_dim: int | None = None,
        max_length: int | None = None,
    ):
        super().__init__()
        self.query_dim = checked_size("query_dim", query_dim)
        self.key_dim = checked_size("key_dim", key_dim, self.query_dim)
        self.score = self._made(score, attention_dim, max_length)

    def _made(self, name: str, attention_dim: int | None, max_length: int | None) -> Score:
        checked_name("score", name, SCORES)
        if attention_dim is not None and name != "additive":
            raise ValueError(f"attention_dim is of score='additive', drop it for score={name!r}")
        if (max_length is None) == (name == "location"):
            raise ValueError(
                "max_length, the longest source, goes with score='location' and with no other, "
                f"got max_length={max_length} and score={name!r}"
            )
        s, h = self.query_dim, self.key_dim
        if name == "additive":
            rows = s if attention_dim is None else attention_dim
            return Additive(s, h, checked_size("attention_dim", rows, max(s, h)))
        if name == "location":
            return Location(s, checked_size("max_length", max_length, s))
        if name == "general":
            return General(s, h)
        if s != h:
            raise ValueError(
                f"score={name!r} needs equal sizes, got query_dim={s} and key_dim={h}: "
                "take 'general' or 'additive', whose W brings them together"
            )
        return SCORES[name]()

    def forward(
        self,
        query: Tensor,
        keys: Tensor,
        mask: Tensor | None = None,
        projected: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return what the query takes from the keys, and the weights.

        Parameters
        ----------
        query : Tensor
            (batch, query_dim), or (batch, steps, query_dim) for several queries at once.
        keys : Tensor
            (batch, time, key_dim).
        mask : Tensor, optional
            (batch, time), True where a key is padding: its weight is 0. If all keys are padding,
            all weights are.
        projected : Tensor, optional
            ``score.project(keys)``, for a loop that asks the same keys many times.

        Returns
        -------
        context : Tensor
            (batch, key_dim), or (batch, steps, key_dim).
        alpha : Tensor
            (batch, time), or (batch, steps, time). A row sums to 1.

        Raises
        ------
        TypeError
            If `query` or `keys` is no float tensor, or `mask` is not of truth values.
        ValueError
            If a shape does not fit, or `keys` are longer than the location score's maximum.
        """
        self._check(query, keys, mask, projected)
        s = query.unsqueeze(1) if query.dim() == 2 else query  # (batch, steps, query_dim)
        e = self.score(s, self.score.project(keys) if projected is None else projected)
        alpha = softmax(e, mask)  # (batch, steps, time)
        context = alpha @ keys  # (batch, steps, key_dim)
        return (context.squeeze(1), alpha.squeeze(1)) if query.dim() == 2 else (context, alpha)

    def _check(
        self, query: Tensor, keys: Tensor, mask: Tensor | None, projected: Tensor | None
    ) -> None:
        for name, x in (("query", query), ("keys", keys)):
            checked_floats(name, x, fix=": embed ids first")
        if query.dim() not in (2, 3) or query.shape[-1] != self.query_dim:
            raise ValueError(
                f"query must be (batch, {self.query_dim}) or (batch, steps, {self.query_dim}), "
                f"got shape {tuple(query.shape)}"
            )
        fix = f" beside a query {tuple(query.shape)}"
        checked_shape("keys", keys, len(query), "time", self.key_dim, fix=fix)
        checked_device("query", query, keys, "keys")
        for weight in self.parameters():
            checked_device("keys", keys, weight)
        if projected is not None:
            checked_type("projected", projected, Tensor, "what score.project(keys) gave")
            if projected.shape[:2] != keys.shape[:2]:
                raise ValueError(
                    f"projected must be score.project(keys) of these keys {tuple(keys.shape)}, got "
                    f"shape {tuple(projected.shape)}"
                )
        if mask is None:
            return
        wanted = "a tensor of truth values, True for padding: use ids == padding"
        checked_tensor("mask", mask, [torch.bool], wanted)
        if mask.shape != keys.shape[:2]:
            raise ValueError(
                f"mask must be {tuple(keys.shape[:2])}, a value for each key, "
                f"got shape {tuple(mask.shape)}"
            )


def attention_or_none(query_dim: int, key_dim: int, score: str | None, **more) -> Attention | None:
    """Return the attention of a model's argument `attention`, which names a score or is None."""
    if score is None:
        return None
    return Attention(query_dim, key_dim, checked_name("attention", score, SCORES), **more)


def softmax(e: Tensor, mask: Tensor | None) -> Tensor:
    """Turn scores (batch, steps, time) into weights, exactly 0 where mask (batch, time) is True."""
    if mask is None:
        return e.softmax(dim=-1)
    mask = mask.unsqueeze(1)
    return e.masked_fill(mask, torch.finfo(e.dtype).min).softmax(dim=-1).masked_fill(mask, 0)
