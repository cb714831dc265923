"""Random structures as OpenCL C text, from a seed: nested, packed, aligned, unions, arrays, vectors, enumerations."""

from __future__ import annotations

import random
from dataclasses import dataclass

_SCALARS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float")
_WIDTHS = ("", "", "", "2", "3", "4", "8", "16")


@dataclass(frozen=True)
class Declared:
    """A structure: name, its text, and the paths of its members."""

    name: str
    text: str
    members: tuple[str, ...]


def random_structs(number: int, seed: int, *, doubles: bool) -> list[Declared]:
    """That many structures; later ones may hold earlier ones."""
    pick = random.Random(seed)  # noqa: S311 - the same structures at every run
    scalars = (*_SCALARS, *(("double",) if doubles else ()), "enum colour")
    made: list[Declared] = []
    for index in range(number):
        name = f"s{index}"
        lines, members = [], []
        for place in range(pick.randint(1, 6)):
            holder = pick.choice(made[-20:]) if made and pick.random() < 0.2 else None
            scalar = pick.choice(scalars)
            kind = f"struct {holder.name}" if holder else scalar if "enum" in scalar else scalar + pick.choice(_WIDTHS)
            array = pick.choice(("", "", "", f"[{pick.randint(1, 4)}]", f"[2][{pick.randint(1, 3)}]"))
            member = f"m{place}"
            lines.append(f"{kind} {member}{array}{_field_attribute(pick, kind)};")
            members.append(member)
            if holder and not array:
                members.append(f"{member}.{holder.members[0]}")
        attribute = pick.choice(("", "", "", "__attribute__((packed)) ", "__attribute__((aligned(32))) "))
        word = "union" if pick.random() < 0.15 else "struct"
        # Named by struct everywhere; a union stands inside one.
        body = " ".join(lines)
        text = (
            f"struct {attribute}{name} {{ {body} }};"
            if word == "struct"
            else f"struct {attribute}{name} {{ union {{ {body} }}; char last; }};"
        )
        made.append(Declared(name, text, (*members, *(("last",) if word == "union" else ()))))
    return made


def _field_attribute(pick: random.Random, kind: str) -> str:
    chance = pick.random()
    if chance < 0.08:
        return " __attribute__((aligned(16)))"
    return " __attribute__((packed))" if chance < 0.16 and "struct" not in kind else ""
