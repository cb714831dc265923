"""``python -m campaign``: hostile cells in a real notebook, and the table of what became of them."""

from __future__ import annotations

import argparse
import sys
import time

from campaign.case import Result
from campaign.generate import generate
from campaign.report import report, troubled
from campaign.run import campaign, interleaved, run_all, usable_devices

_STEP = 50


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the campaign; 1 where anything is not right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="cases on all devices together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", action="append", help="family of drivers: pocl, intel, oclgrind, nvidia")
    parser.add_argument("--family", help="only families of cases that hold this text")
    parser.add_argument("--quick", action="store_true", help="leave out what takes compilers seconds")
    parser.add_argument("--verbose", action="store_true", help="one line a case")
    asked = parser.parse_args()
    targets = [found for found in usable_devices() if not asked.device or found.family in asked.device]
    if not targets:
        _say("no such device")
        return 1
    share = -(-asked.count // len(targets))
    made = {target: generate(target, share, asked.seed, slow=not asked.quick) for target in targets}
    cases = [entry for entry in interleaved(made) if not asked.family or asked.family in entry[2].family][: asked.count]
    begin = time.monotonic()

    def tell(result: Result) -> None:
        if asked.verbose or result.troubles:
            head = f"#{result.number} {result.target.family} {result.case.family}: {result.case.name}"
            _say(f"{head} -> {result.end} {result.duration_s:.2f} s")
            for text in result.troubles:
                _say(f"    {text}")
        elif result.number % _STEP == 0:
            _say(f"… {result.number} of {len(cases)} after {time.monotonic() - begin:.0f} s")

    with campaign(targets) as running:
        results = run_all(running, cases, tell)
    left = running.left_behind()
    _say(f"\n{report(results)}\n\n{len(results)} cases in {time.monotonic() - begin:.0f} s")
    _say(f"workers left behind: {len(left)}")
    return 1 if troubled(results) or left else 0


if __name__ == "__main__":
    sys.exit(main())
