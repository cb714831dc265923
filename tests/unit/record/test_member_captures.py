"""Captures of records: statistics a member, changes without padding, a few elements around the first change."""

from __future__ import annotations

import numpy as np
from support import values

from cl_magic.launch.members import members_of, record_dtype
from cl_magic.launch.request import Member
from cl_magic.record.capture_arrays import Watch
from cl_magic.record.captures import Capture
from cl_magic.record.codec import from_json, to_json
from cl_magic.record.summary import conclusions

PARTICLE = np.dtype(
    {
        "names": ["c", "pos", "head"],
        "formats": ["i1", ("f4", 3), np.dtype([("id", "i4"), ("w", "f2")])],
        "offsets": [0, 16, 32],
        "itemsize": 48,
    }
)


def captured(count: int, changed: int) -> Capture:
    records = np.zeros(count, PARTICLE)
    watch = Watch(records, "p", "particles", writes=True)
    records["pos"][changed] = 1, np.nan, 3
    records["head"]["id"][changed] = -5
    return watch.finish(records)


def test_members_by_their_path() -> None:
    members = members_of(PARTICLE)
    assert [member.name for member in members] == ["c", "pos", "head.id", "head.w"]
    assert members[2] == Member("head.id", "<i4", 32)
    assert record_dtype(members, 48).itemsize == 48


def test_statistics_of_members() -> None:
    capture = captured(100, 7)
    by_name = {member.name: member for member in capture.members}
    assert capture.changed == 1
    assert (by_name["pos"].changed, by_name["c"].changed, by_name["head.id"].changed) == (1, 0, 1)
    after = by_name["pos"].after
    assert after is not None
    assert (after.maximum, after.nan) == (3.0, 1)
    assert by_name["head.id"].after is not None
    assert by_name["head.id"].after.minimum == -5
    assert by_name["head.w"].dtype == "<f2"


def test_padding_is_no_change() -> None:
    records = np.zeros(4, PARTICLE)
    watch = Watch(records, "p", writes=True)
    records.view(np.uint8).reshape(4, 48)[2, 5] = 9
    assert watch.finish(records).changed == 0


def test_an_excerpt_begins_before_the_first_change() -> None:
    excerpt = captured(200, 70).excerpt
    assert excerpt is not None
    assert excerpt.after is not None
    assert excerpt.start == 69
    rows = np.frombuffer(excerpt.after, record_dtype(excerpt.members, 48))
    assert rows["head.id"].tolist()[:2] == [0, -5]
    last = captured(100, 99).excerpt
    assert last is not None
    assert last.start == 36


def test_records_that_are_only_read_and_strided_ones() -> None:
    records = np.zeros(20, PARTICLE)[::2]
    records["c"] = 4
    capture = Watch(records, "p", writes=False).finish()
    assert capture.members[0].before.maximum == 4
    assert capture.members[0].after is None
    assert capture.excerpt is not None
    assert capture.excerpt.after is None


def test_other_arrays_have_256_bytes_around_the_first_change() -> None:
    data = np.zeros(1000, np.uint8)
    watch = Watch(data, "b", writes=True)
    data[500] = 1
    excerpt = watch.finish(data).excerpt
    assert excerpt is not None
    assert (excerpt.start, len(excerpt.before)) == (496, 256)
    image = np.zeros((300, 300), np.float32)
    watch = Watch(image, "x", writes=True)
    image[200, 7] = 1
    excerpt = watch.finish(image).excerpt
    assert excerpt is not None
    assert excerpt.start == 200 * 300 + 4
    assert np.frombuffer(excerpt.after or b"", np.float32).tolist() == [0, 0, 0, 1] + 60 * [0]
    assert Watch(np.zeros((0, 5)), "e", writes=False).finish().excerpt is None


def test_a_capture_with_members_survives_json() -> None:
    capture = captured(10, 3)
    assert from_json(Capture, *to_json(capture)) == capture


def test_nan_in_a_member_is_told() -> None:
    run = values.run_record(captures=(captured(10, 3),))
    assert "particles holds 1 NaN, 0 Inf" in conclusions(run).buffers
