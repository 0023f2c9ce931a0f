"""The equations of weighted sums: a letter for each axis of weights, values and result."""

from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase

from torch import Tensor

Equation = tuple[str, str, str]  # of one operand, the other, and the result


def of_matmul(one: Tensor, other: Tensor) -> Equation:
    """As "Aij", "Ajk" and "Aik", with a capital for each axis in front; a vector has "j" alone."""
    fronts = [max(x.dim() - 2, 0) for x in (one, other)]
    front = ascii_uppercase[: max(fronts)]
    of_one, of_other = (front[len(front) - n :] for n in fronts)
    row, column = ("i" if one.dim() > 1 else ""), ("k" if other.dim() > 1 else "")
    return f"{of_one}{row}j", f"{of_other}j{column}", f"{front}{row}{column}"


def of_einsum(equation: str, operands: Sequence[Tensor]) -> Equation:
    """An equation of torch.einsum, in full: with its result, and capitals in place of dots."""
    inputs, arrow, result = equation.replace(" ", "").partition("->")
    axes = inputs.split(",")
    free = [c for c in ascii_uppercase if c not in equation]
    dots = [x.dim() - len(of.replace("...", "")) for x, of in zip(operands, axes, strict=True)]
    most = "".join(free[: max(dots)])
    full = [of.replace("...", most[len(most) - n :]) for of, n in zip(axes, dots, strict=True)]
    if not arrow:
        once = sorted(c for c in set(inputs) - set(".,") if inputs.count(c) == 1)
        result = "..." + "".join(once) if "..." in inputs else "".join(once)
    return full[0], full[1], result.replace("...", most)


def of_product(weights: Tensor, values: Tensor, product: Tensor, axis: int, kept: bool) -> Equation:
    """Of the sum of a product over an axis, of which a place may be kept in the result."""
    whole = ascii_lowercase[: product.dim()]
    of_both = ["".join(whole[place] for place in own(x, product)) for x in (weights, values)]
    return (*of_both, whole.replace(whole[axis], "Z" if kept else ""))


def own(operand: Tensor, product: Tensor) -> list[int]:
    """The axes of a product that are an operand's own, not stretched."""
    first = product.dim() - operand.dim()
    return [
        first + k
        for k, (size, step) in enumerate(zip(operand.shape, operand.stride(), strict=True))
        if size == product.shape[first + k] and (step or size == 1)
    ]


def squeezed(operand: Tensor, product: Tensor) -> Tensor:
    """An operand with its own axes only."""
    first, axes = product.dim() - operand.dim(), own(operand, product)
    return operand[tuple(slice(None) if first + k in axes else 0 for k in range(operand.dim()))]
