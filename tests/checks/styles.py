"""The same answer in other styles, and what a check must say to each."""

import numpy as np
import torch


def single(x):
    """Float32 in the place of float64, in whatever holds it."""
    if isinstance(x, list | tuple):
        return [single(part) for part in x]
    if isinstance(x, torch.Tensor) and x.is_floating_point():
        return x.detach().float()
    return np.float32(x) if type(x) is float else x


def _listed(x, convert):
    if isinstance(x, list | tuple):
        return [_listed(part, convert) for part in x]
    return convert(x.detach()) if isinstance(x, torch.Tensor) else x


def in_float32(answer):
    """Computed in float32; arguments that are functions or nets keep theirs as well."""

    def student(*given):
        return answer(*(given if any(map(callable, given)) else map(single, given)))

    return student


def to_float32(answer):
    return lambda *given: single(answer(*given))


def to_numpy(answer):
    return lambda *given: _listed(answer(*given), torch.Tensor.numpy)


def to_lists(answer):
    return lambda *given: _listed(answer(*given), torch.Tensor.tolist)


def accept(check, answer):
    """The check accepts the answer, in float64, in float32 and as arrays of numpy."""
    for style in (lambda same: same, in_float32, to_float32, to_numpy):
        verdict = check(style(answer))
        assert verdict, (answer, style, verdict)


def refuse(check, answer, words):
    """The check refuses the answer and says why, and refuses it in float32 as well."""
    verdict = check(answer)
    assert not verdict, verdict
    assert words in verdict.message
    assert "raised" not in verdict.message or "raised" in words, verdict
    assert not check(to_float32(answer))


ODD = (
    *("abc", {}, {"a": 1}, {1}, {("a", "b")}, 3, 1.5, True, 1j, b"ab", [], int, 10**400),
    *(float("nan"), [None, None], ["a", None], ("a", "b", "c"), [[1], [2, 3]], [{}, {}, {}, {}]),
    *(torch.tensor(1.0), torch.zeros(0), [torch.ones(2), torch.ones(3)], torch.eye(3).to_sparse()),
    *(torch.ones(2, device="meta"), torch.ones(4, dtype=torch.bool), np.array([None, "a"])),
)
