"""Checks of notebook 10: a convolution with gaps, what a stack reads, sums in a few shifts."""

from torch import Tensor
from torch.nn import functional as F

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp


@check("right, for four sizes and gaps.")
def causal_conv() -> Cases:
    """Check `causal_conv(x, weight, dilation)`: (in, time) and (out, in, k) to (out, time).

    Source: deck 003; Kalchbrenner et al. (2016).
    """
    for inputs, out, k, time, dilation in (
        (2, 3, 3, 9, 1),
        (3, 2, 3, 5, 4),  # longer than the text
        (1, 4, 4, 11, 2),
        (2, 2, 1, 4, 5),
    ):
        x, w = (5 * ramp(inputs, time)).sin(), ramp(out, inputs, k) - 0.3
        far = dilation * (k - 1)

        def conv(before: int, after: int, weight=w, dilation=dilation) -> Tensor:
            """The convolution with so many zeros on either side."""
            return F.conv1d(F.pad(x, (before, after))[None], weight, dilation=dilation)[0]

        y = conv(far, 0)
        slips = {
            "the last of the k weights meets x_t, the first the oldest": conv(far, 0, w.flip(-1)),
            "it reads the future: the zeros stand before the first input": conv(0, far),
            "the zeros are shared between both ends: it reads the future": (
                conv(far // 2, far - far // 2)
            ),
            "the gaps are missing": conv(k - 1, 0, dilation=1),
            "nothing stands before the first input: put dilation * (k - 1) zeros there": y[:, far:],
        }
        given = {"x": x, "weight": w, "dilation": dilation}
        yield Case(f" with k = {k}, dilation = {dilation}", given, y, slips)


@check("right, for five stacks.")
def offsets() -> Cases:
    """Check `offsets(layers)`: how far back stand the inputs that the last output reads.

    `layers` is a list of (k, gap), the lowest layer first. The answer is a sorted list.

    Source: deck 003; Kalchbrenner et al. (2016).
    """

    def read(layers: list, more=0, spread=True) -> list[int]:
        found = [0]
        for k, gap in layers:
            found = [far + j * (gap if spread else 1) for far in found for j in range(k + more)]
        return sorted(found)

    for layers in (
        [(3, 1), (3, 3)],
        [(3, 1), (3, 4)],
        [(2, 1), (2, 2), (2, 4)],
        [(4, 5)],
        [(1, 7), (2, 1), (3, 1)],
    ):
        paths = read(layers)
        right = sorted({*paths})
        slips = {
            "gaps may leave holes: only what a path leads to is read": [*range(right[-1] + 1)],
            "a layer reads k inputs, 0 to k - 1 gaps back": sorted({*read(layers, more=1)}),
            "the gaps are missing": sorted({*read(layers, spread=False)}),
            "two paths to one input: name it once": paths,
            "this is the lowest layer alone": read(layers[:1]),
        }
        yield Case(f" for {layers}", {"layers": layers}, right, slips)


@check("right, for five lengths, with no shift too many.")
def running_sums() -> Cases:
    """Check `running_sums(x, shift)`: row t is x_0 + ... + x_t, in about log2(time) shifts.

    `x` is (time, d); `shift(y, gap)` moves all rows `gap` places later, zeros stand in front.

    Source: deck 003; Kalchbrenner et al. (2016), gaps that double.
    """
    for n, d in ((8, 3), (5, 2), (1, 4), (13, 1), (2, 3)):
        x, most = (7 * ramp(n, d)).sin() + 1, (n - 1).bit_length()
        wrong = f"shift was called more than {most} times for {n} rows: double the gap each time"
        windows = [x]
        for j in range(most):
            windows.append(windows[-1] + _later(windows[-1], 2**j))
        slips = {
            "shift the sums so far, not x": x + sum(_later(x, 2**j) for j in range(most)),
            "one shift is missing: go on until the gap is as long as the text": windows[-2:][0],
            "row t holds x_t, too": windows[-1] - x,
            "row t ends at x_t: nothing later is added": x.sum(0).expand_as(x),
        }
        given = {"x": x, "shift": at_most(most, _later, wrong)}
        yield Case(f" of {n} rows", given, windows[-1], slips)


def _later(y: Tensor, gap: int) -> Tensor:
    """All rows so many places later."""
    return F.pad(y, (0, 0, gap, 0))[: len(y)]
