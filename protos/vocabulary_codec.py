"""The second half of the vocabulary generator: the codec between the plain classes and protobuf.

Fields are set one by one (a protobuf constructor with keywords takes twice as long), and every alternative has
a function of its own, chosen by one dictionary look-up: by class when encoding, by the oneof's name when decoding.
"""

from __future__ import annotations

from vocabulary import WIDTH, Family, Kind, Value, Vocabulary, snake


def _copy_in(value: Value, source: str, target: str) -> list[str]:
    """Return the statements that store one field."""
    here, there = f"{source}.{value.name}", f"{target}.{value.name}"
    put = f"put_{snake(value.type)}"
    if value.repeated:
        if value.of_class:
            part = snake(value.type)
            return [f"    for {part} in {here}:", f"        {put}({part}, {there}.add())"]
        return [f"    {there}.extend({here})"]
    store = f"{put}({here}, {there})" if value.of_class else f"{there} = {here}"
    if value.optional:
        return [f"    if {here} is not None:", f"        {store}"]
    return [f"    {store}"]


def _read_out(value: Value, source: str) -> str:
    """Return the expression that reads one field."""
    here = f"{source}.{value.name}"
    get = f"get_{snake(value.type)}"
    if value.repeated:
        return f"[{get}(part) for part in {here}]" if value.of_class else f"list({here})"
    read = f"{get}({here})" if value.of_class else here
    return f'{read} if {source}.HasField("{value.name}") else None' if value.optional else read


def _functions(kind: Kind, message: str) -> list[str]:
    """Return the pair of functions that store and read one class."""
    word = snake(kind.name)
    lines = ["", "", f"def put_{word}(value: words.{kind.name}, message: {message}) -> None:"]
    # A message all of whose fields are empty lists would otherwise be absent from the oneof.
    if all(value.repeated or value.optional or value.of_class for value in kind.values):
        lines.append("    message.SetInParent()")
    for value in kind.values:
        lines += _copy_in(value, "value", "message")
    lines += ["", "", f"def get_{word}(message: {message}) -> words.{kind.name}:"]
    reads = [_read_out(value, "message") for value in kind.values]
    line = f"    return words.{kind.name}({', '.join(reads)})"
    if len(line) <= WIDTH:
        return [*lines, line]
    return [*lines, f"    return words.{kind.name}(", *(f"        {read}," for read in reads), "    )"]


def _family(family: Family) -> list[str]:
    """Return the two dictionaries and the two public functions of one family."""
    word, message = snake(family.name), f"pb.{family.name}"
    upper = word.upper()
    article = "an" if word[0] in "aeiou" else "a"
    plain = word.replace("_", " ")
    lines = [
        "",
        "",
        f"_PUT_{upper}: Final[dict[type[words.{family.name}], Callable[[Any, {message}], None]]] = {{",
    ]
    lines += [
        f"    words.{name}: lambda value, message: put_{snake(name)}(value, message.{field}),"
        for field, name in family.alternatives
    ]
    lines += ["}", "", f"_GET_{upper}: Final[dict[str, Callable[[{message}], words.{family.name}]]] = {{"]
    lines += [
        f'    "{field}": lambda message: get_{snake(name)}(message.{field}),'
        for field, name in family.alternatives
    ]
    return [
        *lines,
        "}",
        "",
        "",
        f"def encode_{word}({word}: words.{family.name}, message: {message}) -> None:",
        f'    """Store {article} {plain} in an empty message."""',
        f"    _PUT_{upper}[type({word})]({word}, message)",
        "",
        "",
        f"def decode_{word}(message: {message}) -> words.{family.name}:",
        f'    """Read {article} {plain}; raise `UnknownKindError` when this build has no word for it."""',
        '    kind = message.WhichOneof("kind")',
        "    if kind is None:",
        f'        raise UnknownKindError("{family.name}")',
        f"    return _GET_{upper}[kind](message)",
    ]


def codec(vocabulary: Vocabulary) -> str:
    """Return the text of the codec module."""
    package, _, module = vocabulary.module.rpartition(".")
    lines = [
        f'"""Stores the words of the game, generated from protos/{vocabulary.proto} by `make proto`. Do not edit.',
        "",
        "`put_x` stores a value in an empty message, `get_x` reads one; `encode_event` and `decode_event` choose the right",
        "pair by the event's class or by the name of what is stored. The same goes for the other families.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Callable",
        "from typing import Any, Final",
        "",
        "from magnate.rules import vocabulary as words",
        f"from {package} import {module} as pb",
        "",
        "",
        "class UnknownKindError(Exception):",
        '    """The stored bytes hold a kind that this build does not know: the log is newer than the build."""',
    ]
    for kind in vocabulary.kinds:
        lines += _functions(kind, f"pb.{kind.message}")
    for family in vocabulary.families:
        lines += _family(family)
    return "\n".join(lines) + "\n"
