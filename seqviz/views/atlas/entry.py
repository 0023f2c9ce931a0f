"""The function that shows what heads do over many sentences."""

import os
from collections.abc import Mapping

from seqviz.views.atlas.values import found_of
from seqviz.views.atlas.widget import Atlas
from seqviz.views.shared.checking import line


def atlas(found: Mapping | str | os.PathLike, *, title: str = "", **controls) -> Atlas:
    """Show every head of a model over many sentences: its scores, and what it did in which.

    A scatter of all heads by any two scores, with what an even spread of the weights would score;
    the kinds that rules tell; a list that sorts. A click opens a head with twelve of its sentences,
    from the strongest to the weakest.

    Parameters
    ----------
    found : mapping of str to array, or path
        What ``sv.atlas(model, tokenizer, sentences).save(path)`` wrote, or the arrays of such a
        file by name.
    title : str
        The heading, one line.
    **controls
        Where the view's controls stand at first: x, y, head, kind, find, sort, sentence.

    Returns
    -------
    Atlas

    Raises
    ------
    TypeError
        If `found` is of another kind.
    ValueError
        If there is no such file, or it does not hold what an atlas needs; names what is wrong.

    Examples
    --------
    >>> import numpy as np
    >>> view = atlas("missing.npz")
    Traceback (most recent call last):
        ...
    ValueError: found: 'missing.npz' is no file: give what view.save(path) wrote
    """
    return Atlas(found_of(found), line("title", title), **controls)
