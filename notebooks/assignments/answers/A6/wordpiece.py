"""Answers to wordpiece: right ones, wrong ones, and a grader that is too weak."""


# %% weak
def weak(student) -> bool:
    known = {"un", "##believ", "##ably"}
    return list(student("unbelievably", known)) == ["un", "##believ", "##ably"]


# %% right: the end moves back until something fits
def wordpiece(word, vocabulary):
    found, rest, mark = [], word, ""
    while rest:
        end = len(rest)
        while end and mark + rest[:end] not in vocabulary:
            end -= 1
        if end == 0:
            return ["[UNK]"]
        found.append(mark + rest[:end])
        rest, mark = rest[end:], "##"
    return found


# %% right: it calls itself with the rest
def wordpiece(word, vocabulary):
    def cut(rest, mark):
        for end in range(len(rest), 0, -1):
            if mark + rest[:end] in vocabulary:
                after = cut(rest[end:], "##")
                return None if after is None else [mark + rest[:end], *after]
        return None if rest else []

    found = cut(word, "")
    return ["[UNK]"] if found is None else found


# %% right: the longest of all pieces that fit
def wordpiece(word, vocabulary):
    found, at = [], 0
    first = {piece for piece in vocabulary if not piece.startswith("##") or piece == word}
    inside = {piece[2:] for piece in vocabulary if piece.startswith("##")}
    while at < len(word):
        known = inside if at else first
        fits = [piece for piece in known if piece and word.startswith(piece, at)]
        if not fits:
            return ["[UNK]"]
        longest = max(fits, key=len)
        found.append("##" + longest if at else longest)
        at += len(longest)
    return found


# %% right: as a tuple, made in one pass over the ends
def wordpiece(word, vocabulary):
    found, start = (), 0
    while start != len(word):
        prefix = "" if start == 0 else "##"
        sizes = list(range(1, len(word) - start + 1))
        known = [n for n in sizes if f"{prefix}{word[start : start + n]}" in vocabulary]
        if known == []:
            return ("[UNK]",)
        found = (*found, prefix + word[start : start + known[-1]])
        start += known[-1]
    return found


# %% wrong: at each place take the longest piece that is known, not the shortest
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(start + 1, len(word) + 1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        found.append(mark + word[start:end])
        start = end
    return found


# %% wrong: pieces inside a word begin with ##
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        found.append(word[start:end])
        start = end
    return found


# %% wrong: the pieces inside are looked up without their mark
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        end = next((e for e in ends if word[start:e] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        found.append(("##" if start else "") + word[start:end])
        start = end
    return found


# %% wrong: it cuts from the right
def wordpiece(word, vocabulary):
    found, end = [], len(word)
    while end > 0:
        starts = range(1, end)
        start = next((s for s in starts if "##" + word[s:end] in vocabulary), None)
        if start is None:
            return [word[:end], *found] if word[:end] in vocabulary else ["[UNK]"]
        found.insert(0, "##" + word[start:end])
        end = start
    return ["[UNK]"]


# %% wrong: the word is not known as a whole
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [word]
        found.append(mark + word[start:end])
        start = end
    return found


# %% wrong: give a list of pieces
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is None:
            return "[UNK]"
        found.append(mark + word[start:end])
        start = end
    return " ".join(found)


# %% wrong, subtle: a word that cannot be cut to its end is one [UNK], as a whole
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is None:
            return [*found, "[UNK]"]
        found.append(mark + word[start:end])
        start = end
    return found


# %% wrong, subtle: the rule never goes back to try a shorter piece
def wordpiece(word, vocabulary):
    def cut(rest, mark):
        if not rest:
            return []
        for end in range(len(rest), 0, -1):
            if mark + rest[:end] in vocabulary:
                after = cut(rest[end:], "##")
                if after is not None:
                    return [mark + rest[:end], *after]
        return None

    return cut(word, "") or ["[UNK]"]


# %% wrong, subtle: the fewest pieces, not the longest first
def wordpiece(word, vocabulary):
    best = {0: []}
    for end in range(1, len(word) + 1):
        for start in range(end):
            piece = ("##" if start else "") + word[start:end]
            if start in best and piece in vocabulary:
                new = [*best[start], piece]
                if end not in best or len(new) < len(best[end]):
                    best[end] = new
    return best.get(len(word), ["[UNK]"])


# %% wrong, subtle: inside a word a piece without a mark counts as well
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        marks = ("##", "") if start else ("",)
        tries = [m + word[start:e] for e in range(len(word), start, -1) for m in marks]
        piece = next((p for p in tries if p in vocabulary), None)
        if piece is None:
            return ["[UNK]"]
        found.append(piece)
        start += len(piece.removeprefix("##"))
    return found


# %% wrong, subtle: a letter that does not fit is left out
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is not None:
            found.append(mark + word[start:end])
        start = end or start + 1
    return found or ["[UNK]"]


# %% wrong, subtle: a whole word that is known is cut all the same
def wordpiece(word, vocabulary):
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        last = len(word) - (start == 0 and len(word) > 1)
        ends = range(last, start, -1)
        end = next((e for e in ends if mark + word[start:e] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        found.append(mark + word[start:end])
        start = end
    return found


# %% wrong, subtle: capitals are letters of their own


def wordpiece(word, vocabulary):
    word = word.lower() if word != "[UNK]" else word
    out, s = [], 0
    while s < len(word):
        e = next(
            (e for e in range(len(word), s, -1) if "##" * bool(s) + word[s:e] in vocabulary), None
        )
        if e is None:
            return ["[UNK]"]
        out.append("##" * bool(s) + word[s:e])
        s = e
    return out
