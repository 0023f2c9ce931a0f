"""What a coloured text shows in one sentence, its alt text; the page's own is in sentence.js."""


def description(view) -> str:
    """The range of the unit on show, and what it is at the locked token."""
    reading, unit = view.reading, view.unit
    tokens, column = reading.tokens, reading.values[:, unit - 1]
    one, top = kind(tokens), reading.strongest(unit)
    units = reading.values.shape[1]
    which = f" {unit} of {units}" if units > 1 else ""
    text = (
        f"{len(tokens)} {one}{'s' * (len(tokens) > 1)} coloured by {view.name}{which}, "
        f"from {number(column.min())} to {number(column.max())}; "
        f"strongest at {quoted(tokens[top - 1])}, {one} {top}."
    )
    if not view.cursor:
        return text
    here = view.cursor - 1
    text += f" At {quoted(tokens[here])}, {one} {view.cursor}, it is {number(column[here])}"
    if reading.forecast:
        guess, probability, _, _ = reading.expected(here)
        text += f", and the model expects {quoted(guess)} next ({probability:.2f})"
    return f"{text}."


def kind(tokens: list[str]) -> str:
    """What one of the tokens is called."""
    return "character" if all(len(token) == 1 for token in tokens) else "token"


def quoted(token: str) -> str:
    """A token in a sentence."""
    plain = token if token.isprintable() else repr(token)[1:-1]
    return f"“{plain}”" if len(plain) <= 20 else f"“{plain[:19]}…”"


def number(value: float) -> str:
    """A value with two decimals and a real minus; `number` in sentence.js."""
    digits = f"{value + 0.0:.2f}" if abs(value) < 1000 else f"{value:.1e}"
    return "0.00" if digits == "-0.00" else digits.replace("-", "−", 1)
