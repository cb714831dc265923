"""Objects, libraries and links on every device; what would fail is found before the driver is asked."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import cl_magic as clm
from cl_magic.build.build_log import BuildLog
from cl_magic.build.linking import link_spec
from cl_magic.bundle.objects import ProgramObject
from cl_magic.bundle.sources import SourceBundle
from cl_magic.engine.commands import Build
from cl_magic.errors import (
    ArgumentError,
    BuildError,
    CompilerCrashedError,
    DeviceNotFoundError,
    OptionError,
    ProgramStateError,
    SourceError,
)
from cl_magic.launch.limits import DeviceInfo

TWICE = "int twice(int x) { return 2 * x; }"
USER = "int twice(int x);\nkernel void put(global int *x, int n) { x[get_global_id(0)] = twice(8) + n; }"


def objects(device: DeviceInfo, *texts: str) -> list[ProgramObject]:
    return [clm.source(text, name=f"part {i}").compile(device=device) for i, text in enumerate(texts)]


def value(program: clm.Program) -> list[int]:
    x = np.zeros(5, dtype=np.int32)
    program.put(x, 1, global_size=5, local_size=2)
    found: list[int] = x.tolist()
    return found


def test_r_57_s_32_objects_link_to_a_program_that_runs(device: DeviceInfo) -> None:
    twice, user = objects(device, TWICE, USER)
    program = clm.link([twice, user, twice])
    assert value(program) == [17] * 5
    assert program.put.signature.parameters[0].declaration == "global int *x"
    assert clm.link([twice, user]) is program


def test_r_57_a_library_is_linked_too(device: DeviceInfo) -> None:
    twice, user = objects(device, TWICE, USER)
    library = clm.link([twice], library=True)
    assert library.is_library
    assert [symbol.name for symbol in library.result.defines] == ["twice"]
    assert value(clm.link([user, library])) == [17] * 5
    assert clm.link([user], options="-create-library").result.needs[0].name == "twice"


def test_s_33_names_that_are_missing_or_double_are_told_on_every_device(device: DeviceInfo) -> None:
    twice, user, other = objects(device, TWICE, USER, TWICE.replace("2", "3"))
    with pytest.raises(BuildError) as caught:
        clm.link([user])
    assert caught.value.result.diagnostics[0].message == "'twice' is used in part 1, line 2, and defined in no part"
    with pytest.raises(BuildError) as caught:
        clm.link([twice, user, other])
    message = "'twice' is defined in part 0, line 1 and part 2, line 1"
    assert caught.value.result.diagnostics[0].message == message
    static = objects(device, "static " + TWICE, TWICE.replace("twice", "static thrice"), USER)
    with pytest.raises(BuildError):
        clm.link(static)


def test_s_14_a_link_that_the_driver_fails_gives_its_log_where_there_is_one(device: DeviceInfo) -> None:
    (user,) = objects(device, USER)
    spec = link_spec([user.result.spec], ())
    ticket = user.engine.submit(Build(spec, device.local_id))
    if device.simulator:
        with pytest.raises(CompilerCrashedError) as caught:
            ticket.result()
        assert "twice" in caught.value.last_words
        return
    result = ticket.result()
    assert (result.ok, result.status) == (False, "LINK_PROGRAM_FAILURE")
    assert ("twice" in result.log) is (device.family == "intel")
    assert value(clm.link([user, *objects(device, TWICE)])) == [17] * 5, "the worker lives on"


@pytest.mark.parametrize("options", ["-DX=1", "-enable-link-options", "-cl-mad-enable", "-w"])
def test_r_58_r_59_options_that_linkers_do_not_take_are_refused(device: DeviceInfo, options: str) -> None:
    with pytest.raises(OptionError):
        clm.link(objects(device, TWICE, USER), options=options)


def test_r_59_floating_point_options_are_taken_and_said_where_they_cannot_act(device: DeviceInfo) -> None:
    program = clm.link(objects(device, TWICE, USER), options="-cl-fast-relaxed-math")
    assert value(program) == [17] * 5
    assert any("PoCL's linker" in note for note in program.result.notes) is (device.family == "pocl")
    library = clm.link(objects(device, TWICE), library=True, options="-enable-link-options")
    assert library.is_library


def test_s_32_parts_of_two_devices_are_refused_and_so_is_nothing() -> None:
    devices = clm.devices()
    if len(devices) < 2:
        pytest.skip("one device only")
    with pytest.raises(ArgumentError):
        clm.link([*objects(devices[0], TWICE), *objects(devices[1], USER)])
    with pytest.raises(ArgumentError):
        clm.link([])
    with pytest.raises(ArgumentError):
        clm.link([clm.build("kernel void f() {}")])  # type: ignore[list-item]  # what is refused here


def test_s_01_s_03_states_are_told_apart_and_only_programs_have_kernels(device: DeviceInfo) -> None:
    bundle = clm.source(USER + TWICE.join("\n\n"), name="one")
    compiled = bundle.compile(device=device)
    program = bundle.build(device=device)
    assert repr(bundle) == "<source of 4 lines, not built>"
    assert repr(compiled).startswith("<object of one: defines ")
    assert repr(program).startswith("<program of put on ")
    for early, state in ((bundle, "source"), (compiled, "object")):
        for ask in (lambda one: one["put"], list, len, bool, lambda one: "put" in one, lambda one: one.has_kernel("f")):
            with pytest.raises(ProgramStateError) as caught:
                ask(early)
            assert caught.value.state == state


def test_s_02_a_source_of_nonsense_fails_at_its_build_only(device: DeviceInfo) -> None:
    bundle = clm.source("garbage")
    assert isinstance(bundle, SourceBundle)
    for step in (bundle.build, bundle.compile):
        with pytest.raises(BuildError):
            step(device=device, save_log=True)
        assert bundle.log is not None
        assert not bundle.log.ok


def test_s_12_s_13_the_log_of_the_last_build_is_kept(device: DeviceInfo) -> None:
    bundle = clm.source("#warning look\nkernel void f(global int *x) { x[0] = N; }")
    with pytest.raises(BuildError) as caught:
        bundle.build(device=device, save_log=True)
    assert bundle.log is not None
    assert bundle.log.text == caught.value.result.log
    bundle.build(device=device, options="-DN=1", save_log=True)
    assert "look" in bundle.log
    assert (bundle.log.ok, bundle.log.options, bundle.log.device) == (True, ("-DN=1",), device.name)
    again = pickle.loads(pickle.dumps(bundle.log))  # noqa: S301 - our own
    assert isinstance(again, BuildLog)
    assert again.result == bundle.log.result


def test_s_09_devices_count_once_and_none_is_an_error(device: DeviceInfo) -> None:
    bundle = clm.source("kernel void f(global int *x) { x[0] = 1; }")
    assert [program.device for program in bundle.build_on([device, device.id, device])] == [device]
    with pytest.raises(DeviceNotFoundError):
        bundle.build_on([])


def test_s_16_headers_are_added_one_by_one() -> None:
    bundle = clm.source('#include "a.h"\nkernel void f(global int *x) { x[0] = A; }').with_header("a.h", "#define A 1")
    assert bundle.build().kernel_names == ("f",)
    with pytest.raises(SourceError):
        bundle.with_header("a.h", "")


def test_a_helper_of_another_object_sees_the_whole_range_of_a_split_launch(device: DeviceInfo) -> None:
    helper = "int whole(void) { return get_global_size(0); }"
    user = "int whole(void);\nkernel void put(global int *x, int n) { x[get_global_id(0)] = whole() + n; }"
    assert value(clm.link(objects(device, helper, user))) == [6] * 5


def test_a_linked_program_is_not_specialised(device: DeviceInfo) -> None:
    program = clm.link(objects(device, TWICE, USER))
    with pytest.raises(SourceError):
        program.put.specialize(local_size=16)
