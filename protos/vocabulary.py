"""Turn `magnate/rules/v1/vocabulary.proto` into plain Python classes and the codec that stores them.

The rules must not know protobuf (it is slow inside an engine and mypyc cannot compile it), and nobody should
write eighty classes and their codec by hand, so both come from the descriptors: `read` returns what the proto
declares, `classes` the text of `rules/vocabulary.py`, `vocabulary_codec.codec` that of the codec. A family
is a message with a oneof named `kind` (`Event`, `Command` …): its alternatives become classes that share an
empty base of that name.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

WIDTH: Final = 108
_F = FieldDescriptorProto
_SCALARS: Final = {
    _F.TYPE_INT32: "int",
    _F.TYPE_INT64: "int",
    _F.TYPE_SINT32: "int",
    _F.TYPE_SINT64: "int",
    _F.TYPE_UINT32: "int",
    _F.TYPE_UINT64: "int",
    _F.TYPE_ENUM: "int",
    _F.TYPE_BOOL: "bool",
    _F.TYPE_STRING: "str",
    _F.TYPE_BYTES: "bytes",
}
_ADDED_LATER: Final = {
    "QuestionAsked": 5, "PayDebt": 1,
    "Terms": 8, "PositionGiven": 17, "AuctionOpened": 7, "OpenAuction": 7, "DeclineLot": 1,
    "BuildingsBuilt": 4, "LotUnsold": 3, "ShortageOpened": 4, "BidPlaced": 5, "AuctionOutcome": 6,
    "PlaceBid": 3, "PassAuction": 2, "SetProxyBid": 3, "AuctionExtended": 4, "SealedBid": 4,
    "LeadRestored": 4, "CancelAuction": 2,
}  # fmt: skip
"""By message: fields from this number on came later, so their arguments may be left out (0, empty)."""
_BLANKS: Final = {"int": "0", "bool": "False", "str": '""', "bytes": 'b""'}


class VocabularyError(Exception):
    """The proto says something that plain classes cannot hold."""


@dataclass
class Value:
    """One field of a class."""

    name: str
    type: str
    of_class: bool
    repeated: bool
    optional: bool
    comment: str
    later: bool = False

    @property
    def parameter(self) -> str:
        """The field as an argument of the constructor."""
        if not self.later:
            return f"{self.name}: {self.annotation}"
        if self.repeated:
            return f"{self.name}: {self.annotation} | None = None"
        if self.optional:
            return f"{self.name}: {self.annotation} = None"
        return f"{self.name}: {self.annotation} = {_BLANKS[self.type]}"

    @property
    def assigned(self) -> str:
        """What the constructor stores."""
        if self.later and self.repeated:
            return f"self.{self.name}: {self.annotation} = [] if {self.name} is None else {self.name}"
        return f"self.{self.name} = {self.name}"

    @property
    def annotation(self) -> str:
        """The field's Python type."""
        if self.repeated:
            return f"list[{self.type}]"
        return f"{self.type} | None" if self.optional else self.type


@dataclass
class Kind:
    """One class: a message of the vocabulary."""

    name: str
    message: str
    comment: str
    values: list[Value]
    base: str = ""


@dataclass
class Family:
    """One base class and its alternatives, as (oneof field, class name)."""

    name: str
    comment: str
    alternatives: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Names:
    """One enum: its constants and their short names."""

    name: str
    comment: str
    members: list[tuple[str, int, str]]
    comments: list[str]


@dataclass
class Vocabulary:
    """Everything the proto declares, in its order."""

    families: list[Family]
    kinds: list[Kind]
    enums: list[Names]
    proto: str
    module: str


def snake(name: str) -> str:
    """`RentCharged` -> `rent_charged`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class _Reader:
    """Reads one file's descriptors into a `Vocabulary`."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self.file = file
        self.replaced: set[str] = set()  # deprecated alternatives: an upcaster has replaced them before
        self.prefix = f".{file.package}."
        self.comments = {
            tuple(location.path): " ".join(location.leading_comments.split())
            for location in file.source_code_info.location
        }
        stem = file.name.rpartition("/")[2].removesuffix(".proto")
        self.vocabulary = Vocabulary(
            [], [], [], file.name, f"magnate.{file.package.removeprefix('magnate.')}.{stem}_pb2"
        )

    def read(self) -> Vocabulary:
        for number, enum in enumerate(self.file.enum_type):
            self._enum(enum, (5, number))
        for number, message in enumerate(self.file.message_type):
            if any(not member.proto3_optional and member.HasField("oneof_index") for member in message.field):
                self._family(message, (4, number))
            else:
                self._kind(message, (4, number), ())
        by_name = {kind.name: kind for kind in self.vocabulary.kinds}
        for family in self.vocabulary.families:
            for _, name in family.alternatives:
                kind = by_name.get(name)
                if kind is None:
                    raise VocabularyError(f"{family.name}: {name} is not declared in this file")
                if kind.base not in ("", family.name):
                    raise VocabularyError(f"{name} is an alternative of both {kind.base} and {family.name}")
                kind.base = family.name
        kept = [kind for kind in self.vocabulary.kinds if kind.name not in self.replaced]
        self.vocabulary.kinds = _parts_first(kept)
        return self.vocabulary

    def _family(self, message: DescriptorProto, path: tuple[int, ...]) -> None:
        if [one.name for one in message.oneof_decl] != ["kind"]:
            raise VocabularyError(f"{message.name} must have one oneof, named `kind`")
        family = Family(message.name, self.comments.get(path, ""))
        for member in message.field:
            if not member.HasField("oneof_index") or member.type != _F.TYPE_MESSAGE:
                raise VocabularyError(
                    f"{message.name}.{member.name} must be a message inside the oneof `kind`"
                )
            if member.options.deprecated:
                self.replaced.add(self._class_name(member.type_name))
            else:
                family.alternatives.append((member.name, self._class_name(member.type_name)))
        self.vocabulary.families.append(family)

    def _kind(self, message: DescriptorProto, path: tuple[int, ...], outer: tuple[str, ...]) -> None:
        name = "".join((*outer, message.name))
        for number, enum in enumerate(message.enum_type):
            self._enum(enum, (*path, 4, number))
        for number, nested in enumerate(message.nested_type):
            self._kind(nested, (*path, 3, number), (*outer, message.name))
        values = [self._value(member, name, (*path, 2, n)) for n, member in enumerate(message.field)]
        self.vocabulary.kinds.append(
            Kind(name, ".".join((*outer, message.name)), self.comments.get(path, ""), values)
        )

    def _value(self, member: FieldDescriptorProto, owner: str, path: tuple[int, ...]) -> Value:
        if member.HasField("oneof_index") and not member.proto3_optional:
            raise VocabularyError(f"{owner}.{member.name}: a nested message cannot hold a oneof")
        if member.type == _F.TYPE_MESSAGE:
            of_class, kind = True, self._class_name(member.type_name)
        elif member.type in _SCALARS:
            of_class, kind = False, _SCALARS[member.type]
        else:
            raise VocabularyError(f"{owner}.{member.name}: this type has no plain counterpart")
        return Value(
            name=member.name,
            type=kind,
            of_class=of_class,
            repeated=member.label == _F.LABEL_REPEATED,
            optional=member.proto3_optional,
            comment=self.comments.get(path, ""),
            later=member.number >= _ADDED_LATER.get(owner, member.number + 1),
        )

    def _enum(self, enum: EnumDescriptorProto, path: tuple[int, ...]) -> None:
        prefix = f"{snake(enum.name).upper()}_"
        members = [(one.name, one.number, one.name.removeprefix(prefix)) for one in enum.value]
        if [number for _, number, _ in members] != list(range(len(members))):
            raise VocabularyError(f"{enum.name}: values must count 0, 1, 2 …")
        remarks = [self.comments.get((*path, 2, number), "") for number in range(len(members))]
        self.vocabulary.enums.append(Names(enum.name, self.comments.get(path, ""), members, remarks))

    def _class_name(self, type_name: str) -> str:
        if not type_name.startswith(self.prefix):
            raise VocabularyError(f"{type_name} is not declared in this file")
        return type_name.removeprefix(self.prefix).replace(".", "")


def _parts_first(kinds: list[Kind]) -> list[Kind]:
    """Order the classes so that a part comes before its whole; otherwise keep the proto's order."""
    by_name = {kind.name: kind for kind in kinds}
    ordered: dict[str, Kind] = {}

    def place(kind: Kind, above: tuple[str, ...]) -> None:
        if kind.name in above:
            raise VocabularyError(f"{kind.name} contains itself")
        for value in kind.values:
            if value.of_class:
                place(by_name[value.type], (*above, kind.name))
        ordered.setdefault(kind.name, kind)

    for kind in kinds:
        place(kind, ())
    return list(ordered.values())


def _sentence(comment: str, fallback: str) -> str:
    text = (comment or fallback).replace("\\", "\\\\").replace('"""', "'''").strip()
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _docstring(text: str, indent: str) -> list[str]:
    lines = textwrap.wrap(text, WIDTH - len(indent) - 3)
    lines[0] = f'"""{lines[0]}'
    if len(lines) == 1 and len(lines[0]) + 3 + len(indent) <= WIDTH:
        return [f'{indent}{lines[0]}"""']
    return [*(f"{indent}{line}" for line in lines), f'{indent}"""']


def _call(head: str, parts: list[str], tail: str, indent: str) -> list[str]:
    """Return `head(parts)tail` on one line if it fits, else one part a line."""
    line = f"{indent}{head}({', '.join(parts)}){tail}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{indent}{head}(", *(f"{indent}    {part}," for part in parts), f"{indent}){tail}"]


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _assign(head: str, parts: list[str], indent: str) -> list[str]:
    line = f"{indent}{head} = {_tuple(parts)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"{indent}{head} = (", *(f"{indent}    {part}," for part in parts), f"{indent})"]


def _class(kind: Kind) -> list[str]:
    """Return the source of one class."""
    names = [value.name for value in kind.values]
    quoted = [f'"{name}"' for name in names]
    lines = ["", "", f"class {kind.name}({kind.base}):" if kind.base else f"class {kind.name}:"]
    doc = _docstring(_sentence(kind.comment, f"{kind.name}"), "    ")
    remarks = [(value.name, value.comment) for value in kind.values if value.comment]
    if remarks:
        if len(doc) == 1:
            doc = [doc[0].removesuffix('"""'), "    " + '"""']
        body = ["", "    Attributes:"]
        for name, comment in remarks:
            body += textwrap.wrap(
                f"{name}: {_sentence(comment, name)}",
                WIDTH,
                initial_indent=" " * 8,
                subsequent_indent=" " * 12,
            )
        doc[-1:-1] = body
    lines += [*doc, "", *_assign("__slots__", quoted, "    ")]
    lines += _assign("FIELDS: ClassVar[tuple[str, ...]]", quoted, "    ")
    if names:
        parameters = ["self", *(value.parameter for value in kind.values)]
        lines += ["", *_call("def __init__", parameters, " -> None:", "    ")]
        lines += [f"        {value.assigned}" for value in kind.values]
    lines += ["", "    def __eq__(self, other: object) -> bool:"]
    tests = [f"isinstance(other, {kind.name})", *(f"self.{name} == other.{name}" for name in names)]
    line = f"        return {' and '.join(tests)}"
    lines += (
        [line]
        if len(line) <= WIDTH
        else [
            "        return (",
            *(f"            {'and ' if n else ''}{test}" for n, test in enumerate(tests)),
            "        )",
        ]
    )
    shown = [f"{name}={{self.{name}!r}}" for name in names]
    text = f"{kind.name}({', '.join(shown)})"
    lines += ["", "    def __repr__(self) -> str:"]
    if not names:
        lines.append(f'        return "{text}"')
    elif len(text) + 18 <= WIDTH:
        lines.append(f'        return f"{text}"')
    else:
        pieces = [
            f'f"{kind.name}("',
            *(f'f"{part}{", " if n < len(shown) else ")"}"' for n, part in enumerate(shown, 1)),
        ]
        lines += ["        return (", *(f"            {piece}" for piece in pieces), "        )"]
    return lines


def _remark(comment: str, indent: str = "") -> list[str]:
    return textwrap.wrap(comment, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")


def _enum_lines(enum: Names) -> list[str]:
    lines = ["", *_remark(_sentence(enum.comment, enum.name))]
    for (name, number, _), comment in zip(enum.members, enum.comments, strict=True):
        lines += [*_remark(comment), f"{name}: Final = {number}"]
    shorts = [f'"{short}"' for _, _, short in enum.members]
    return lines + _assign(f"{snake(enum.name).upper()}_NAMES: Final[tuple[str, ...]]", shorts, "")


def classes(vocabulary: Vocabulary) -> str:
    """Return the text of the module of plain classes."""
    lines = [
        f'"""The words of the game, generated from protos/{vocabulary.proto} by `make proto`. Do not edit.',
        "",
        "Plain slotted classes without protobuf, so that the rules stay pure and mypyc can compile them.",
        "Arguments are positional, in the proto's order. Two values are equal when all their fields are.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import ClassVar, Final",
    ]
    for enum in vocabulary.enums:
        lines += _enum_lines(enum)
    for family in vocabulary.families:
        lines += [
            "",
            "",
            f"class {family.name}:",
            *_docstring(_sentence(family.comment, family.name), "    "),
        ]
        lines += ["", "    __slots__ = ()"]
    for kind in vocabulary.kinds:
        lines += _class(kind)
    for family in vocabulary.families:
        names = [name for _, name in family.alternatives]
        constant = f"{snake(family.name).upper()}_KINDS: Final[tuple[type[{family.name}], ...]]"
        lines += ["", *([""] if family is vocabulary.families[0] else []), *_assign(constant, names, "")]
    return "\n".join(lines) + "\n"


def read(described: FileDescriptorSet, name: str) -> Vocabulary:
    """Return what the proto file `name` declares."""
    file = next((file for file in described.file if file.name == name), None)
    if file is None:
        raise VocabularyError(f"{name} is not among the descriptors")
    return _Reader(file).read()
