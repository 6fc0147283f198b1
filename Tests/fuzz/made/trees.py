"""Variants of JSON: values and members of some documents in others."""

import copy
import json

from . import odd


def documents(random, known, words):
    """Variants of inputs that are one document."""
    trees = Trees(random, [d for d in map(parsed, known) if d is not None], words)
    while True:
        yield trees.text()


def lines(random, known, words):
    """Variants of inputs that have a document in each line."""
    found = (parsed(line) for data in known for line in data.split(b"\n"))
    trees = Trees(random, [d for d in found if d is not None], words)
    while True:
        count = random.choice([1, 1, 1, 2, 5])
        yield b"\n".join(trees.text() for _ in range(count)) + b"\n"


def parsed(data):
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


class Trees:
    """Documents, and their values by the key that they have or the list that they are in."""

    def __init__(self, random, documents, words):
        self.random, self.documents = random, documents or [{}]
        self.all, self.by_key, self.texts = [], {}, odd.TEXTS + words
        for document in self.documents:
            for parent, key, place in self.places(document):
                value = document if parent is None else parent[key]
                self.all.append(value)
                self.by_key.setdefault(place, []).append(value)
                if isinstance(value, str):
                    self.texts.append(value)
        self.keys = [key for key in self.by_key if isinstance(key, str)] + words or ["a"]

    @staticmethod
    def places(document):
        """Each value as (what contains it, its key there, what is looked up for others like it)."""
        found, rest = [], [(document, None, None, None)]
        while rest:
            value, parent, key, place = rest.pop()
            found.append((parent, key, place))
            if isinstance(value, dict):
                rest += [(v, value, k, k) for k, v in value.items()]
            elif isinstance(value, list):
                rest += [(v, value, i, ("item of", place)) for i, v in enumerate(value)]
        return found

    def text(self):
        document = copy.deepcopy(self.random.choice(self.documents))
        for _ in range(self.random.choice([1, 1, 1, 2, 2, 3, 5])):
            document = self.changed(document)
        data = json.dumps(
            document, ensure_ascii=self.random.random() < 0.3, separators=(",", ":"))
        return odd.damaged(self.random, data.encode("utf-8", "surrogatepass"), 0.03)

    def like(self, place):
        """A copy of a value that is found elsewhere in such a place, or any."""
        values = self.by_key.get(place)
        return copy.deepcopy(self.random.choice(values)) if values else self.any()

    def any(self):
        """Any value: of a document, a number, a text."""
        kind = self.random.random()
        if kind < 0.3:
            number = parsed(self.random.choice(odd.NUMBERS))
            return 1 if number is None else number
        if kind < 0.6:
            return self.random.choice(self.texts)
        if kind < 0.75:
            return self.random.choice([True, False, None, [], {}])
        return copy.deepcopy(self.random.choice(self.all))

    def changed(self, document):
        """The document with one value changed, added, moved or removed."""
        random = self.random
        parent, key, place = random.choice(self.places(document))
        if parent is None:
            return self.any() if random.random() < 0.05 else document
        value, way = parent[key], random.random()
        if way < 0.3:
            parent[key] = self.like(place)
        elif way < 0.5:
            parent[key] = self.any()
        elif way < 0.58:
            del parent[key]
        elif way < 0.8 and isinstance(value, dict):
            name = random.choice(self.keys)
            value[name] = self.like(name)
        elif way < 0.8 and isinstance(value, list):
            value.insert(random.randint(0, len(value)), self.like(("item of", place)))
        elif way < 0.86 and isinstance(parent, dict):
            parent[random.choice(self.keys)] = parent.pop(key)
        elif way < 0.86:
            parent.insert(key, copy.deepcopy(value))
        elif isinstance(value, str):
            at = random.randint(0, len(value))
            parent[key] = value[:at] + random.choice(self.texts) + value[at + random.randint(0, 2):]
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            parent[key] = random.choice([value + 1, value - 1, -value, value * 1.5, value * 1000, str(value)])
        else:
            parent[key] = [value] if random.random() < 0.5 else {random.choice(self.keys): value}
        return document
