"""The function that shows films of steps over a picture."""

from collections.abc import Mapping, Sequence

from seqviz.views.regions.values import films_of
from seqviz.views.regions.widget import ImageRegions
from seqviz.views.shared.checking import line_or


def regions(films: Sequence[Mapping] | Mapping, *, title: str | None = None) -> ImageRegions:
    """Show where a network attends in a picture, what it has seen of one, or how it draws one.

    All are a film of steps: words, glimpses, windows, heads. Light is attention: the picture is
    dimmed, and lit where the step attends, has seen or writes. Point at a step to preview it,
    click to lock it, point at another to compare; point at a region of the picture to see what
    each step has to do with it. Show, attend and tell (Xu et al. 2015), glimpses (Mnih et al.
    2014) and DRAW (Gregor et al. 2015) are in decks 000, 002 and 003.

    Parameters
    ----------
    films : mapping, or sequence of mapping
        1 to 24 films; their keys say of what kind they are. Pictures are (h, w) greys or
        (h, w, 3), from 0 to 1, at most 400,000 pixels; T is 1 to 60. Boxes and windows are in
        pixels, x to the right, y down, 0 the edge of the picture.

        A caption, or the answer to a question:

        - ``"picture"``, ``"words"``: T strings;
        - ``"weights"``: (T, rows, columns), each word's weights over the regions, with sum 1;
        - ``"boxes"``, optional: name of each true object to its (x0, y0, x1, y1);
        - ``"gold"``, optional: for each word the name of its box, a tuple of names, or None;
        - ``"wrong"``, optional: place of each wrong word, from 0, to the right word;
        - ``"alternatives"``, optional: for each word a list of (word, probability);
        - ``"question"``, ``"note"``, optional: what was asked; a line under a wrong word.

        Glimpses:

        - ``"picture"``, ``"classes"``: names of the C classes;
        - ``"windows"``: (T, 3), x and y of the middle and the width, or (T, 4) with the height;
        - ``"probabilities"``: (T, C), what is said after each glimpse;
        - ``"label"``, optional: the true class, its name or its place;
        - ``"seen"``, optional: (T, h, w), how much of each pixel the glimpse sees, from 0 to 1;
          without it all that lies inside of the window.

        A drawing:

        - ``"canvases"``: (T, h, w), after each window; the first one is written on an empty one;
        - ``"windows"``: as above;
        - ``"target"``, optional: (h, w), what is to be drawn; without it the last canvas;
        - ``"classes"``, ``"probabilities"``, ``"label"``, optional: what a classifier says of
          each canvas.

        The heads of a layer of a vision transformer; `sv.regions` makes them from a model:

        - ``"picture"``, ``"grid"``: (rows, columns) of equal patches of it;
        - ``"attention"``: (T, N, N), weights of T heads from N tokens to N tokens, as
          ``rec.attention`` has them;
        - ``"tokens"``, optional: for each token the place of its patch, row by row from 0, or the
          name of a special one, ``["cls_token", *range(196)]``; without it all are patches;
        - ``"shuffled"``, optional: (T, N, 2), the control: which share of a row's weight on
          patches is the same with the picture's patches shuffled, where they are now, and where
          they were.

        Each may have a ``"title"``, which stands in the list of films.
    title : str, optional
        The heading, one line.

    Returns
    -------
    ImageRegions
        The view; its controls are `film`, `step`, `locked`, `compare`, `region` and `light`. It
        opens at its lesson: the first wrong word, the first change of mind, the last window;
        heads at the first special token.

    Raises
    ------
    TypeError
        If an argument is of another kind than above.
    ValueError
        If a picture has another size, range or number of channels than above, or holds NaN; if
        weights do not match the words or do not sum to 1; if a box leaves the picture, a window
        has no width, a caption no word; if patches are not those of the grid; if there is no film.

    Examples
    --------
    >>> picture, weights = [[1.0, 0.0], [0.0, 0.0]], [[[0.75, 0.25], [0.0, 0.0]]]
    >>> regions({"picture": picture, "words": ["white"], "weights": weights}).alt
    "Caption '1' of 1 step; film 1 of 1, step 1"
    """
    return ImageRegions(films_of(films), line_or("title", title))
