"""Variants of texts: words, numbers, elements and signs of some in others."""

import re

from . import odd

PIECE = re.compile(
    rb"<[^<>]{0,200}>|[A-Za-z_][\w:.\-]*|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s+|[\x80-\xff]+|.", re.DOTALL)


def texts(random, known, words):
    """Variants of inputs that are texts."""
    cut = [PIECE.findall(data) for data in known if data] or [[b"a"]]
    all_pieces = [piece for pieces in cut for piece in pieces]
    signs = [text.encode() for text in odd.TEXTS] + odd.BYTES
    numbers = [number.encode() for number in odd.NUMBERS]
    words = [word.encode() for word in words] or signs
    while True:
        pieces = list(random.choice(cut))
        for _ in range(random.choice([1, 1, 2, 3, 5, 8])):
            at, way = random.randint(0, len(pieces)), random.random()
            end = at + random.choice([0, 1, 1, 2, 5])
            if way < 0.2:
                pieces[at:at + 1] = [random.choice(all_pieces)]
            elif way < 0.3:
                pieces[at:at + 1] = [random.choice(numbers)]
            elif way < 0.45:
                pieces[at:at + random.randint(0, 1)] = [random.choice(signs)]
            elif way < 0.55:
                pieces[at:at + random.randint(0, 1)] = [random.choice(words)]
            elif way < 0.65:
                del pieces[at:end]
            elif way < 0.75:
                pieces[at:at] = pieces[at:end]
            else:
                other = random.choice(cut)
                first = random.randrange(len(other))
                pieces[at:end] = other[first:first + random.choice([1, 3, 10, 40])]
        yield b"".join(pieces)
