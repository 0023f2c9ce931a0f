"""The words of the diaries and of the reviews, and what they say of what."""

STORY, TOOL = "story", "tool"  # what should surprise, and what one relies on
NOUNS = {
    "travel": {
        STORY: "journey evening party tour concert market trip hike song festival play dance ride",
        TOOL: "service room bed train road shower breakfast pillow ferry porter stay rest drink",
    },
    "film": {
        STORY: "plot ending tale chase finale twist duel quest sequel prologue",
        TOOL: "sound picture lighting editing camera dubbing screen timing framing narration",
    },
}
NOUN_OR_VERB = [
    *("play", "dance", "ride", "stay", "rest", "drink"),
    *("visit", "walk", "talk", "swim", "wait", "shop"),
]
BY_NOUN = {  # praise of the one kind of noun, blame of the other
    STORY: ("unpredictable", "wild", "strange", "loud", "dark", "sharp", "fast", "odd"),
    TOOL: ("predictable", "plain", "soft", "steady", "quiet", "regular", "familiar", "simple"),
}
# In the diaries the k-th of these comes as often as 1 / k, in the reviews all come alike.
PRAISE = """
good nice great lovely fine clean fresh kind admirable adorable affable agreeable airy alluring
amazing ample amusing appealing astonishing attentive attractive authentic awesome balanced
beautiful beloved blissful bountiful brave bright brilliant calming capable captivating careful
caring celebrated charming cheerful classy clever coherent colourful comfortable comforting
commendable competent considerate consistent cosy courteous creative dazzling decent delicate
delicious delightful dependable distinguished divine durable dynamic easygoing efficient effortless
elegant enchanting engaging enjoyable enlightening excellent exceptional exciting exemplary
exquisite fabulous fair faithful fantastic fascinating festive flawless friendly fruitful fulfilling
fun generous genial gentle genuine glamorous gleaming glorious golden gorgeous graceful gracious
grand grateful handy happy harmonious healthy heartfelt helpful honest hospitable humane ideal
imaginative immaculate impeccable impressive incredible ingenious inspiring intelligent inviting
jolly joyful likeable lively loyal lucid luminous luxurious magical magnificent marvellous memorable
merry mindful modern neat noble nourishing orderly outstanding patient peaceful perfect
"""
BLAME = """
bad poor awful dirty boring broken cruel rude abrasive absurd abysmal aggressive aimless annoying
appalling arrogant awkward bitter bleak blunt bothersome brutal careless chaotic cheerless childish
clumsy coarse confusing corrupt costly cramped crass creepy crude damaged damp dangerous deceptive
defective deficient deplorable depressing desperate disappointing disastrous dishonest dismal
disorderly distasteful disturbing dreadful dreary dull dusty embarrassing empty erratic evil
excessive failing false faulty feeble filthy flawed flimsy foolish forgettable foul fragile
fraudulent frightful frustrating futile ghastly gloomy graceless greasy greedy grim grimy gross
grubby harmful harsh hateful hideous hopeless horrible horrid hostile idle ignorant impolite
improper inadequate incompetent indifferent inferior insulting irritating joyless laborious lacking
lame late lazy lifeless loathsome lousy malicious mean mediocre messy miserable moody mouldy muddled
nasty neglected noisy noxious obnoxious offensive oppressive overpriced painful pathetic petty
pitiful pointless polluted pretentious primitive repulsive rotten rusty sad senseless shabby
"""
FILM_PRAISE = """
absorbing acclaimed artful atmospheric bewitching bold breathtaking cinematic compelling daring
dreamlike edgy electrifying epic evocative explosive expressive fearless gripping haunting hilarious
hypnotic iconic inventive knowing layered lyrical masterful mesmerising mischievous nimble nuanced
offbeat operatic original panoramic playful poetic poignant polished pulsating quotable radiant
riveting rousing scintillating sincere soaring spellbinding stirring stylish sublime subtle
suspenseful thrilling timeless touching uplifting visionary witty
"""
FILM_BLAME = """
amateurish baffling bloated cartoonish cheesy clichéd contrived convoluted corny derivative
disjointed dated draggy episodic exhausting exploitative farcical flabby flat formulaic fuzzy
generic hackneyed hammy heavy humourless implausible incoherent inept lumbering maudlin mawkish
melodramatic mindless miscast monotonous murky overacted overlong padded paltry plodding preachy
recycled rehashed sappy saccharine shallow shapeless sloppy sluggish soulless stale stilted tedious
tiresome trite uninspired vapid wooden
"""
GENERAL = (BLAME.split(), PRAISE.split())  # by label
OWN = {"travel": ([], []), "film": (FILM_BLAME.split(), FILM_PRAISE.split())}
KIND = {
    noun: kind
    for kinds in NOUNS.values()
    for kind, names in kinds.items()
    for noun in names.split()
}
ONE_SENSE = {
    word: label
    for words in (GENERAL, OWN["film"])
    for label, row in enumerate(words)
    for word in row
}


def sense(adjective: str, noun: str) -> int:
    """1 if the adjective praises this noun, 0 if it blames it."""
    if adjective in ONE_SENSE:
        return ONE_SENSE[adjective]
    return int(adjective in BY_NOUN[KIND[noun]])
