"""The families of words, and what stands near each family, near each form, near each sense."""

# man, woman, men, women: a gender and a number; then what stands near all four.
NOUNS = {
    ("king", "queen", "kings", "queens"): ("crown", "throne", "palace"),
    ("prince", "princess", "princes", "princesses"): ("palace", "carriage", "ball"),
    ("duke", "duchess", "dukes", "duchesses"): ("estate", "carriage", "manor"),
    ("man", "woman", "men", "women"): ("office", "newspaper", "briefcase"),
    ("boy", "girl", "boys", "girls"): ("school", "playground", "kite"),
    ("father", "mother", "fathers", "mothers"): ("cradle", "stroller", "nursery"),
    ("son", "daughter", "sons", "daughters"): ("homework", "nursery", "bicycle"),
    ("brother", "sister", "brothers", "sisters"): ("bedroom", "bicycle", "puzzle"),
    ("uncle", "aunt", "uncles", "aunts"): ("garden", "visit", "present"),
    ("husband", "wife", "husbands", "wives"): ("wedding", "ring", "honeymoon"),
    ("actor", "actress", "actors", "actresses"): ("stage", "film", "costume"),
    ("waiter", "waitress", "waiters", "waitresses"): ("menu", "tray", "kitchen"),
    ("host", "hostess", "hosts", "hostesses"): ("party", "menu", "guest"),
    ("hero", "heroine", "heroes", "heroines"): ("medal", "novel", "rescue"),
    ("wizard", "witch", "wizards", "witches"): ("broom", "spell", "cauldron"),
    ("lion", "lioness", "lions", "lionesses"): ("savanna", "prey", "cub"),
}
# walk, walked, walking; then what it is done to.
VERBS = {
    ("sing", "sang", "singing"): ("song", "hymn", "tune"),
    ("write", "wrote", "writing"): ("letter", "poem", "diary"),
    ("eat", "ate", "eating"): ("apple", "bread", "soup"),
    ("drink", "drank", "drinking"): ("tea", "juice", "milk"),
    ("buy", "bought", "buying"): ("ticket", "house", "hat"),
    ("teach", "taught", "teaching"): ("lesson", "class", "grammar"),
    ("drive", "drove", "driving"): ("car", "truck", "taxi"),
    ("ride", "rode", "riding"): ("horse", "pony", "camel"),
    ("build", "built", "building"): ("wall", "bridge", "tower"),
    ("throw", "threw", "throwing"): ("ball", "spear", "stone"),
    ("catch", "caught", "catching"): ("fish", "thief", "butterfly"),
    ("draw", "drew", "drawing"): ("picture", "map", "portrait"),
    ("wear", "wore", "wearing"): ("coat", "hat", "gloves"),
    ("steal", "stole", "stealing"): ("wallet", "jewel", "painting"),
    ("grow", "grew", "growing"): ("wheat", "roses", "beans"),
    ("break", "broke", "breaking"): ("window", "vase", "plate"),
}
# france, paris, french; then what stands near all three.
COUNTRIES = {
    ("france", "paris", "french"): ("wine", "perfume", "pastry"),
    ("italy", "rome", "italian"): ("pasta", "opera", "marble"),
    ("spain", "madrid", "spanish"): ("guitar", "oranges", "flamenco"),
    ("germany", "berlin", "german"): ("beer", "sausage", "engines"),
    ("russia", "moscow", "russian"): ("ballet", "vodka", "chess"),
    ("japan", "tokyo", "japanese"): ("sushi", "kimono", "robots"),
    ("china", "beijing", "chinese"): ("silk", "porcelain", "rice"),
    ("egypt", "cairo", "egyptian"): ("papyrus", "cotton", "pharaoh"),
    ("greece", "athens", "greek"): ("olives", "temples", "marble"),
    ("poland", "warsaw", "polish"): ("amber", "dumplings", "coal"),
    ("sweden", "stockholm", "swedish"): ("timber", "herring", "saunas"),
    ("portugal", "lisbon", "portuguese"): ("cork", "sardines", "tiles"),
    ("cuba", "havana", "cuban"): ("cigars", "rum", "sugar"),
    ("iran", "tehran", "persian"): ("carpets", "saffron", "pistachios"),
}
# A word with two senses, and for each sense a word that has this one alone.
SENSES = {"bank": ("lender", "shore"), "stick": ("twig", "cling")}

PRONOUNS = (
    {"he": "he", "his": "his"},
    {"he": "she", "his": "her"},
)
