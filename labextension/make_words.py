"""Write src/words.json: the words that the editor colours, from the tables that the Python half works with.

Run it after a change of ``cl_magic/clc/builtins.py``, ``type_table.py`` or ``cl_magic/magics/flags.py``; a test says
when it was forgotten.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cl_magic.clc.builtins import builtin_names
from cl_magic.clc.type_table import TYPES
from cl_magic.magics.flags import FLAGS, OPTION_STARTS, OPTION_WORDS, WITH_VALUE

FILE = Path(__file__).with_name("src") / "words.json"

QUALIFIERS = "kernel global local constant private generic read_only write_only read_write uniform pipe"
"""With and without two underscores (OpenCL C 3.0, 6.1.9)."""
CONTROL = "if else for while do switch case default break continue return goto"
DECLARING = "struct union enum typedef"
OTHER = "sizeof static extern inline const volatile restrict auto register signed unsigned __attribute__ complex"
CPP = "template typename class namespace using operator public private protected constexpr decltype bool true false"
ALSO_TYPES = (
    "signed unsigned half2 atomic_int atomic_uint atomic_long atomic_ulong atomic_float atomic_double atomic_flag "
    "atomic_intptr_t atomic_uintptr_t atomic_size_t atomic_ptrdiff_t cl_mem_fence_flags memory_order memory_scope "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t image2d_msaa_t image2d_array_depth_t "
    "image2d_msaa_depth_t image2d_array_msaa_t image2d_array_msaa_depth_t"
)
_SCALAR = r"(u?(char|short|int|long)|float|double|half)(2|3|4|8|16)?"
_STEP = r"(add|sub|inc|dec|xchg|cmpxchg|min|max|and|or|xor)"
_GROUP = r"(all|any|broadcast|barrier|((reduce|scan_(in|ex)clusive)_(add|min|max)))"
FAMILIES = (
    rf"convert_{_SCALAR}(_sat)?(_rt[ezpn])?",
    rf"as_{_SCALAR}",
    r"vloada?(_half)?(2|3|4|8|16)?",
    r"vstorea?(_half)?(2|3|4|8|16)?(_rt[ezpn])?",
    rf"atom(ic)?_{_STEP}",
    rf"atomic_(fetch_{_STEP}|load|store|exchange|compare_exchange_(weak|strong))(_explicit)?",
    rf"(work|sub)_group_{_GROUP}",
)
CONSTANTS = r"(CLK|CL|CLC|M|FLT|DBL|HALF|CHAR|SCHAR|UCHAR|SHRT|USHRT|INT|UINT|LONG|ULONG)_[A-Z0-9_]+"
MORE_CONSTANTS = (
    "INFINITY NAN MAXFLOAT HUGE_VAL HUGE_VALF NULL true false __OPENCL_VERSION__ __OPENCL_C_VERSION__ __LINE__ "
    "__FILE__ __func__ __kernel_exec __IMAGE_SUPPORT__ __ENDIAN_LITTLE__ __FAST_RELAXED_MATH__ memory_order_relaxed "
    "memory_order_acquire memory_order_release memory_order_acq_rel memory_order_seq_cst memory_scope_work_item "
    "memory_scope_sub_group memory_scope_work_group memory_scope_device memory_scope_all_svm_devices "
    "memory_scope_all_devices"
)


def _type_names() -> set[str]:
    return {row.name for row in TYPES.rows if re.fullmatch(r"\w+", row.name)}


def words() -> dict[str, Any]:
    """Return the lists, by what they are coloured as."""
    families = re.compile("|".join(f"(?:{family})" for family in FAMILIES))
    qualifiers = [name for word in QUALIFIERS.split() for name in (word, f"__{word}")]
    return {
        "qualifiers": sorted(qualifiers),
        "control": sorted(CONTROL.split()),
        "declaring": sorted(DECLARING.split()),
        "other": sorted({*OTHER.split(), *CPP.split()} - {"private", "bool", "true", "false", "signed", "unsigned"}),
        "types": sorted((_type_names() | set(ALSO_TYPES.split())) - {"pipe"}),
        "functions": sorted(name for name in builtin_names() if not families.fullmatch(name)),
        "families": list(FAMILIES),
        "constants": sorted(MORE_CONSTANTS.split()),
        "constantFamilies": CONSTANTS,
        "flags": [{"name": flag.name, "value": flag.value, "meaning": flag.meaning} for flag in FLAGS],
        "optionStarts": list(OPTION_STARTS),
        "optionWords": list(OPTION_WORDS),
        "optionsWithValue": list(WITH_VALUE),
    }


def text() -> str:
    """Return the file's text."""
    return json.dumps(words(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
