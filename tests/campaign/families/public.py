"""Situations from public reports that took a notebook down, as they were reported: the same on every device."""

from __future__ import annotations

from campaign.case import BOUNDS, BUILD, CRASH, DONE, INTERRUPTED, LAUNCH, LOST, RIGHT, TIMEOUT, Case, Overrun, Target
from campaign.families.overruns import machine_excuse

_FIVE_OF_EIGHT = (
    "__kernel void k(__global int *y, __local int *t){ int l=get_local_id(0); t[l]=l; "
    "if (l < 5) { barrier(CLK_LOCAL_MEM_FENCE); } y[get_global_id(0)]=t[(l+1)%8]; }"
)
_BY_ID = (
    "__kernel void k(__global int *y){ int l=get_local_id(0); int s=0; "
    "for(int i=0;i<=l;i++){ s+=i; barrier(CLK_LOCAL_MEM_FENCE);} y[get_global_id(0)]=s; }"
)
_SPIN = "__kernel void k(__global volatile int *y){ while (y[0] == 0) { y[1]++; } }"
_AT = "__kernel void k(__global int *y, const long at){ y[at]=42; }"
_PRINT = '__kernel void k(__global int *y){ printf("x%d\\n", (int)get_global_id(0)); }'


def public_cases(target: Target) -> list[Case]:
    """Cases 31 (barrier), 32 (endless), 33 (out of bounds) and 39 (printf)."""
    y = {"y": "np.zeros(16, np.int32)"}
    undefined = (DONE, TIMEOUT, CRASH, BUILD, LAUNCH)
    lines = 2_000 if target.simulator else 200_000
    made = [
        Case("31 barrier", "reached by 5 of 8", _FIVE_OF_EIGHT,
             "k(y, clm.local(32), global_size=16, local_size=8, timeout=1.0)", undefined, y),
        Case("31 barrier", "in a loop by id", _BY_ID, "k(y, global_size=16, local_size=8, timeout=1.0)", undefined, y),
        Case("32 endless", "timeout=", _SPIN, "k(y, global_size=1, timeout=0.3)", (TIMEOUT,), y),
        Case("32 endless", "stop button", _SPIN, "k(y, global_size=1)", (INTERRUPTED,), y, stop_after_s=0.6),
        Case("39 printf", f"{lines} lines", _PRINT, f"k(y, global_size={lines})", (RIGHT,), y,
             check=f"run.printf.count(chr(10)) == {lines}", magic=True),
    ]  # fmt: skip
    excuse = machine_excuse(target)
    allowed = (CRASH, BOUNDS, LOST, DONE) if excuse else (CRASH, BOUNDS)
    places = (
        ("one past the end", 16, "after", 0),
        ("100 past the end", 115, "after", 396),
        ("minus one", -1, "before", 0),
        ("a million past the end", 10**6, "after", 4 * 10**6 - 64),
    )
    for name, at, side, gap in places:
        overrun = Overrun("y", 64, "write", side, gap, far=gap > 4096, excuse=excuse)  # type: ignore[arg-type]
        made.append(
            Case("33 out of bounds", name, _AT, f"k(y, {at}, global_size=1)", allowed, dict(y), overrun=overrun)
        )
    return made
