"""How fast to learn, by step."""

from seqviz.arguments import checked_integer


def noam_rate(step: int, d_model: int, warmup: int) -> float:
    """Return d_model^-0.5 * min(step^-0.5, step * warmup^-1.5) (deck 002; Vaswani et al. 2017).

    It rises in a line for `warmup` steps and then falls with the square root of the step.

    Parameters
    ----------
    step : int
        Counted from 1.
    d_model : int
        Numbers in a vector of the model.
    warmup : int
        The step of the highest rate; the paper has 4,000 of 100,000.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is no integer of at least one.

    Examples
    --------
    With Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9), k counting from 0:
    ``torch.optim.lr_scheduler.LambdaLR(adam, lambda k: noam_rate(k + 1, 512, 4000))``.

    >>> [round(noam_rate(step, 512, 4000) * 1e4, 2) for step in (1, 2000, 4000, 16000)]
    [0.0, 3.49, 6.99, 3.49]
    """
    step = checked_integer("step", step, 1)
    d_model = checked_integer("d_model", d_model, 1)
    warmup = checked_integer("warmup", warmup, 1)
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)
