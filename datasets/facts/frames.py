"""The sentences of the paragraphs, with gaps: a fact in each of them, in either order."""

PERSON, GOODS, TOOL = ROLES = ("person", "goods", "tool")
MENTIONS = {PERSON: "beside our {person}", GOODS: "with this {goods}", TOOL: "near the {tool}"}
OPENING = (
    "in the {place} {name} stood {mention} .",
    "{mention} in the {place} stood {name} .",
)
ASIDE = {  # by the words of the trade that stand in it
    (PERSON,): ("on {day} our {adjective} {person} came .",),
    (GOODS,): ("on {day} this {adjective} {goods} lay there .",),
    (TOOL,): ("on {day} the {adjective} {tool} stood there .",),
    (PERSON, GOODS): ("our {person} had this {goods} .", "this {goods} lay beside our {person} ."),
    (PERSON, TOOL): (
        "our {person} stood near the {tool} .",
        "near the {tool} stood our {person} .",
    ),
    (GOODS, TOOL): ("this {goods} lay near the {tool} .", "near the {tool} lay this {goods} ."),
}
DEED = {
    (PERSON,): (
        "our {person} {verb} it {to} {name} .",
        "{to} {name} it was {verb} by our {person} .",
    ),
    (GOODS,): ("this {goods} was {verb} {to} {name} .", "{to} {name} this {goods} was {verb} ."),
    (TOOL,): (
        "near the {tool} it was {verb} {to} {name} .",
        "it was {verb} {to} {name} near the {tool} .",
    ),
    (PERSON, GOODS): (
        "our {person} {verb} this {goods} {to} {name} .",
        "this {goods} was {verb} {to} {name} by our {person} .",
    ),
    (PERSON, TOOL): (
        "our {person} {verb} it {to} {name} near the {tool} .",
        "near the {tool} our {person} {verb} it {to} {name} .",
    ),
    (GOODS, TOOL): (
        "this {goods} was {verb} {to} {name} near the {tool} .",
        "near the {tool} this {goods} was {verb} {to} {name} .",
    ),
}
STORY = {  # by the words of the story that stand in it; one word of the trade is mentioned
    "weather": {
        "a": ("there was {a} {mention} .",),
        "b": ("a {b} hung {mention} .",),
        "c": ("it felt {c} {mention} .",),
        "ab": ("in the {a} a {b} hung {mention} .", "a {b} hung {mention} in the {a} ."),
        "ac": ("in the {a} it felt {c} {mention} .", "it felt {c} {mention} in the {a} ."),
        "bc": ("a {b} {mention} felt {c} .", "it felt {c} {mention} with a {b} ."),
    },
    "feeling": {
        "a": ("the guest was {a} {mention} .",),
        "b": ("the guest soon {b} {mention} .",),
        "c": ("the guest had a {c} {mention} .",),
        "ab": (
            "the guest was {a} and soon {b} {mention} .",
            "the guest soon {b} {mention} , being {a} .",
        ),
        "ac": (
            "the guest was {a} and had a {c} {mention} .",
            "the guest had a {c} {mention} , being {a} .",
        ),
        "bc": (
            "the guest soon {b} and had a {c} {mention} .",
            "the guest had a {c} and soon {b} {mention} .",
        ),
    },
    "animal": {
        "a": ("a {a} was {mention} .",),
        "b": ("something {b} {mention} .",),
        "c": ("one {c} lay {mention} .",),
        "ab": ("a {a} {mention} soon {b} .", "{mention} soon {b} a {a} ."),
        "ac": ("a {a} saw one {c} {mention} .", "one {c} was seen by a {a} {mention} ."),
        "bc": ("something {b} {mention} for one {c} .", "for one {c} something {b} {mention} ."),
    },
}
