"""Names of plain functions for instances, overloads and functions in namespaces; and which instances are due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cl_magic.clc.cpp_definitions import Function, plain_identifier, template_arguments
from cl_magic.clc.cpp_parse import offset_of
from cl_magic.clc.libclang import Libclang

MOST_INSTANCES = 512


@dataclass(frozen=True)
class Instance:
    """A template with arguments.

    Attributes
    ----------
    template : Function
    arguments : tuple of str
        As OpenCL C writes them.
    name : str
        Of the plain function.
    given : bool
        Whether the text itself has it, as a specialisation.
    """

    template: Function
    arguments: tuple[str, ...]
    name: str
    given: bool = False

    @property
    def shown(self) -> str:
        """As in the source: ``axpy<float, 4>``."""
        return f"{self.template.qualified}<{', '.join(self.arguments)}>"


class TooManyInstancesError(Exception):
    """A template that instantiates itself without end."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance.shown)
        self.instance = instance


class InstanceNames:
    """Names for the functions of one text.

    Parameters
    ----------
    clang : Libclang
    functions : tuple of Function
    taken : set of str
        Identifiers of the text.
    """

    def __init__(self, clang: Libclang, functions: tuple[Function, ...], taken: set[str]) -> None:
        self._clang = clang
        self._taken = taken
        self.templates = {f.place: f for f in functions if f.is_template}
        self.instances: dict[tuple[int, tuple[str, ...]], Instance] = {}
        self.waiting: list[Instance] = []
        self._plain: dict[int, str] = {}
        self._by_type: dict[str, str] = {}
        self._name_plain([f for f in functions if not f.is_template and not f.header[1]])
        for function in functions:
            if not function.is_template and function.header[1]:
                self._specialised(function)

    def _name_plain(self, functions: list[Function]) -> None:
        """Overloads and functions in namespaces get names of their own; the others keep theirs."""
        types: dict[str, set[str]] = {}
        for function in functions:
            types.setdefault(function.qualified, set()).add(_type_of(function))
        for function in functions:
            if len(types[function.qualified]) == 1 or function.is_overloadable:
                wanted = "__".join((*function.scope, function.name))
                is_new = bool(function.scope)
            else:
                parameters = (str(p.type.spelling).replace("__private", "") for p in function.cursor.get_arguments())
                wanted = "__".join((*function.scope, function.name, *map(_short, parameters)))
                is_new = True
            key = f"{function.qualified} {_type_of(function)}"
            if key not in self._by_type:
                self._by_type[key] = self._free(wanted) if is_new else wanted
            self._plain[function.place] = self._by_type[key]

    def _specialised(self, function: Function) -> None:
        template = self._template_of(function.cursor)
        arguments = template_arguments(function.cursor, template.parameters) if template else None
        if template is None or arguments is None:
            return
        known = self.instances.get((template.place, arguments)) or self._add(template, arguments, given=True)
        self._plain[function.place] = known.name

    def _template_of(self, cursor: Any) -> Function | None:  # noqa: ANN401
        template = self._clang.specialized_template(cursor)
        if template is None:
            return None
        definition = template.get_definition()
        place = offset_of(self._clang, definition if definition is not None else template)
        return self.templates.get(place)

    def instance_of(self, cursor: Any) -> Instance | None:  # noqa: ANN401
        """The instance that a function cursor means, made due if it is new; None for what is no template's.

        Raises
        ------
        TooManyInstancesError
        """
        template = self._template_of(cursor)
        arguments = template_arguments(cursor, template.parameters) if template else None
        if template is None or arguments is None:
            return None
        known = self.instances.get((template.place, arguments))
        return known or self._add(template, arguments)

    def _add(self, template: Function, arguments: tuple[str, ...], *, given: bool = False) -> Instance:
        wanted = "__".join((*template.scope, template.name, "_".join(map(plain_identifier, arguments))))
        instance = Instance(template, arguments, self._free(wanted.rstrip("_")), given)
        if len(self.instances) >= MOST_INSTANCES:
            raise TooManyInstancesError(instance)
        self.instances[template.place, arguments] = instance
        if not given:
            self.waiting.append(instance)
        return instance

    def name_of(self, cursor: Any) -> str:  # noqa: ANN401
        """Plain name of a function that an expression means; "" for built-ins and what is not of this text."""
        instance = self.instance_of(cursor)
        if instance:
            return instance.name
        return self._plain.get(offset_of(self._clang, cursor), "")

    def plain_name(self, function: Function) -> str:
        """Name of a plain function, or of a specialisation."""
        return self._plain.get(function.place, function.name)

    def _free(self, wanted: str) -> str:
        name, number = wanted, 2
        while name in self._taken:
            name, number = f"{wanted}_{number}", number + 1
        self._taken.add(name)
        return name


def _type_of(function: Function) -> str:
    return str(function.cursor.type.get_canonical().spelling)


def _short(parameter: str) -> str:
    return plain_identifier(parameter.replace("__attribute__((ext_vector_type", "vec").replace("const ", "c "))
