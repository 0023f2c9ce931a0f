"""What is handed in for weights and is none, by what it is, with what to write instead."""

RECORDED = (
    "with sv.record(model) as rec: model(ids), then attention(rec.attention, tokens); or "
    "sv.explore(model, tokenizer, text)"
)


def refuse_no_weights(given) -> None:
    """Refuse a model, a record, and a block that was never entered.

    Raises
    ------
    TypeError
        If it is one of these.
    """
    name = type(given).__name__
    if hasattr(given, "named_modules"):
        raise TypeError(f"weights: came a model, {name}: record it: {RECORDED}")
    if hasattr(given, "attention") and hasattr(given, "traces"):
        raise TypeError("weights: came a record: hand in rec.attention")
    if hasattr(given, "__enter__") and hasattr(given, "gen"):
        raise TypeError(f"weights: came a block that was not entered: write {RECORDED}")
    if hasattr(given, "attentions"):
        raise TypeError(f"weights: came a model's output, {name}: hand in its .attentions")
