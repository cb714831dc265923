"""What evaluating a text gave: one row a value, one column a device. Values."""

from __future__ import annotations

from dataclasses import dataclass

from cl_magic.launch.limits import DeviceInfo
from cl_magic.show import Shown


@dataclass(frozen=True, slots=True)
class EvaluatedRow:
    """What a value is of.

    Attributes
    ----------
    expression : str
        The item as written, its blanks drawn together.
    name : str
        The variable that it sets; "" for an expression's own value.
    line : int
        In the text, from 1.
    type_name : str
        ``int4``, ``size_t``, ``int[7]``, ``struct P``; ``void`` where there is no value.
    notes : tuple of str
        Rules of the language that explain the value.
    """

    expression: str
    name: str
    line: int
    type_name: str
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the value is of, short: the variable, else the expression."""
        return self.name or self.expression


@dataclass(frozen=True, slots=True)
class EvaluatedValue:
    """A value from one device.

    Attributes
    ----------
    text : str
        ``{0, 0, -1, -1}``, ``0.5``; ``unspecified``; "" where there is none.
    data : tuple of bytes
        As the device wrote it, little end first: one entry a component, one for all of a structure or array.
    note : str
        Why there is no value, or what it came to where the language leaves it open.
    """

    text: str = ""
    data: tuple[bytes, ...] = ()
    note: str = ""

    @property
    def bits(self) -> str:
        """Each component's bytes as a hexadecimal number, the highest byte first.

        Examples
        --------
        >>> EvaluatedValue("1.0", (bytes([0, 0, 128, 63]),)).bits
        '0x3f800000'
        """
        return " ".join(f"0x{part[::-1].hex()}" for part in self.data)


@dataclass(frozen=True, slots=True)
class EvaluatedColumn:
    """What one device gave.

    Attributes
    ----------
    device : DeviceInfo
    values : tuple of EvaluatedValue
        One a row; empty where there is an error.
    printf : str
    error : str
        Why the device gave no values.
    duration_ns : int
        Of build and run together, wall time.
    """

    device: DeviceInfo
    values: tuple[EvaluatedValue, ...] = ()
    printf: str = ""
    error: str = ""
    duration_ns: int = 0


@dataclass(frozen=True, slots=True)
class Evaluation(Shown):
    """A text evaluated on one device or more.

    Attributes
    ----------
    rows : tuple of EvaluatedRow
    columns : tuple of EvaluatedColumn
    notes : tuple of str
        Of the whole: warnings of the front end, Python's names that were put in.
    bits : bool
        Whether reports show the bits of values too.
    """

    rows: tuple[EvaluatedRow, ...]
    columns: tuple[EvaluatedColumn, ...]
    notes: tuple[str, ...] = ()
    bits: bool = False

    def text(self, row: int = -1, column: int = 0) -> str:
        """Type and value: ``int4 {0, 0, -1, -1}``; of the last row on the first device unless said otherwise.

        Examples
        --------
        >>> device = DeviceInfo("0:0", "d", "PoCL", "1.2", ("cpu",))
        >>> one = EvaluatedColumn(device, (EvaluatedValue("1"),))
        >>> Evaluation((EvaluatedRow("3 > 2", "", 1, "int"),), (one,)).text()
        'int 1'
        """
        return f"{self.rows[row].type_name} {self.columns[column].values[row].text}".strip()

    def differs(self, row: int) -> bool:
        """Whether devices gave other values for a row than the first one did."""
        return len({column.values[row].text for column in self.columns if column.values}) > 1
