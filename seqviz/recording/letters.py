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


def of_product(weights: Tensor, values: Tensor, product: Tensor, axis: int) -> Equation:
    """Of the sum of a product over an axis; an axis that is stretched is not the operand's own."""
    whole = ascii_lowercase[: product.dim()]
    of_both = ["".join(whole[place] for place in own(x, product)) for x in (weights, values)]
    return (*of_both, whole.replace(whole[axis], ""))


def own(operand: Tensor, product: Tensor) -> list[int]:
    """The axes of a product that are an operand's own, not stretched."""
    first = product.dim() - operand.dim()
    return [k for k in range(first, product.dim()) if operand.shape[k - first] == product.shape[k]]


def squeezed(operand: Tensor, product: Tensor) -> Tensor:
    """An operand with its own axes only."""
    return operand.reshape([product.shape[k] for k in own(operand, product)])
