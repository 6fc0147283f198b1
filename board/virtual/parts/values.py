"""What conditions in scenarios say: values, members, comparisons."""
import json
import operator

OPERATORS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "<=": operator.le, ">=": operator.ge,
    "has": lambda value, part: part in value,
}


class Mistake(Exception):
    """A step that cannot be understood."""


class Unmet(Exception):
    """What a step expects is not so."""


def literal(text, remembered):
    """A value as it is written: JSON, $NAME, or else the word itself."""
    if text.startswith("$"):
        if text[1:] not in remembered:
            raise Mistake(f"nothing is remembered as {text}")
        return remembered[text[1:]]
    try:
        return json.loads(text)
    except ValueError:
        return text


def expression(words, remembered):
    """A value, or two with + or - between."""
    if len(words) == 1:
        return literal(words[0], remembered)
    if len(words) == 3 and words[1] in "+-":
        left, right = literal(words[0], remembered), literal(words[2], remembered)
        return left + right if words[1] == "+" else left - right
    raise Mistake(f"no value: {' '.join(words)}")


def member(value, path):
    """The member at a dotted path; in a list, the entry of that name or number. None without one."""
    for part in path.split("."):
        if isinstance(value, list):
            named = [entry for entry in value if isinstance(entry, dict)
                     and part in (entry.get("name"), entry.get("what"), entry.get("id"))]
            numbered = value[int(part) : int(part) + 1] if part.isdigit() else []
            value = next(iter(named or numbered), None)
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def holds(value, comparison, wanted):
    try:
        return OPERATORS[comparison](value, wanted)
    except TypeError:
        return False
    except KeyError:
        raise Mistake(f"no comparison: {comparison}; one of {' '.join(OPERATORS)}") from None


def matches(event, conditions, remembered):
    """Whether an event meets all of name=value, name!=value, name>value…"""
    for condition in conditions:
        for comparison in ("!=", "<=", ">=", "=", "<", ">"):
            name, found, wanted = condition.partition(comparison)
            if found:
                if not holds(member(event, name), comparison, literal(wanted, remembered)):
                    return False
                break
        else:
            raise Mistake(f"no condition: {condition}")
    return True
