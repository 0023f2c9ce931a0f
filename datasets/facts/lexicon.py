"""The words of the paragraphs, and which of them go together."""

# What is done there towards somebody and away from somebody; who works there, with what, and where.
TABLE = """
bakery   | offered ordered     | baker bread oven     waiter coffee tray
harbour  | sent received       | captain ship anchor  fisher fish net
school   | lent borrowed       | teacher book desk    pupil pencil satchel
hospital | handed collected    | doctor pill scale    nurse bandage bed
farm     | delivered fetched   | farmer wheat tractor shepherd wool fence
theatre  | presented requested | actor wig curtain    singer song piano
castle   | promised demanded   | king crown throne    knight sword shield
market   | sold bought         | butcher ham knife    florist tulip vase
"""
DIRECTIONS = ("to", "from")
STORIES = {  # words of which each tells the two others, at every place
    "weather": (
        ("rain", "coat", "wet"),
        ("sun", "hat", "warm"),
        ("snow", "scarf", "white"),
        ("wind", "cap", "cool"),
    ),
    "feeling": (
        ("tired", "yawned", "pillow"),
        ("cold", "shivered", "blanket"),
        ("hungry", "chewed", "sandwich"),
        ("thirsty", "sipped", "lemonade"),
    ),
    "animal": (
        ("dog", "barked", "bone"),
        ("cat", "purred", "mouse"),
        ("horse", "neighed", "carrot"),
        ("bird", "chirped", "worm"),
    ),
}
NAMES = (
    *("adam", "anna", "carl", "clara", "david", "emma", "felix", "hanna", "hugo", "ida"),
    *("jonas", "julia", "leo", "maria", "martin", "nora", "oscar", "paula", "simon", "sofia"),
)
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
ADJECTIVES = (
    *("old", "new", "small", "big", "plain", "fine", "strange", "famous"),
    *("lonely", "quiet", "little", "great", "pretty", "clean", "dusty", "odd"),
)


def _row(row: str) -> tuple[str, list[str], list[tuple[str, ...]]]:
    place, verbs, words = (column.split() for column in row.split("|"))
    return place[0], verbs, [*zip(words[::3], words[1::3], words[2::3], strict=True)]


_ROWS = [_row(row) for row in TABLE.strip().splitlines()]
VERBS = {place: dict(zip(DIRECTIONS, verbs, strict=True)) for place, verbs, _ in _ROWS}
TRADES = {place: trades for place, _, trades in _ROWS}  # (person, goods, tool) of each place
