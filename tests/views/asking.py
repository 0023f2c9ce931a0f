"""What a page hears of Python when it asks."""


def answers(view, **message):
    """The contents and the buffers that the view sends."""
    sent = []
    view.send = lambda content, buffers=None: sent.append((content, buffers))
    view._answer(view, message, [])
    return sent
