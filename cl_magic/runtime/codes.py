"""OpenCL's error codes in plain words, with a remedy for each that a user can act on (OpenCL 3.0, appendix A)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cl_magic.errors import LaunchError


@dataclass(frozen=True, slots=True)
class Code:
    """An error code: its name, what it means, and what to do ("" where nothing general helps)."""

    name: str
    meaning: str
    remedy: str = ""


_SIMULATOR = "run the kernel on the Oclgrind simulator: it names the access that is wrong"
_OUR_FAULT = "rebuild the program; if it stays, report it with the record"

CODES: dict[int, Code] = {
    -1: Code("DEVICE_NOT_FOUND", "the platform has no device of that type", "see %opencl devices"),
    -2: Code("DEVICE_NOT_AVAILABLE", "the device is not available", "another process may hold it; see %opencl devices"),
    -3: Code("COMPILER_NOT_AVAILABLE", "the device has no compiler", "pick another device"),
    -4: Code(
        "MEM_OBJECT_ALLOCATION_FAILURE", "the device could not allocate a buffer", "free arrays or use smaller ones"
    ),
    -5: Code(
        "OUT_OF_RESOURCES", "the device ran out of resources, or the kernel accessed memory out of bounds", _SIMULATOR
    ),
    -6: Code("OUT_OF_HOST_MEMORY", "the driver could not allocate host memory", "free memory or use smaller arrays"),
    -7: Code("PROFILING_INFO_NOT_AVAILABLE", "the command has no times", "create the queue with PROFILING_ENABLE"),
    -8: Code("MEM_COPY_OVERLAP", "source and destination of a copy overlap"),
    -9: Code("IMAGE_FORMAT_MISMATCH", "two images have different formats"),
    -10: Code("IMAGE_FORMAT_NOT_SUPPORTED", "the device does not support this image format"),
    -11: Code("BUILD_PROGRAM_FAILURE", "the program was not built", "the build log says why"),
    -12: Code("MAP_FAILURE", "a buffer could not be mapped into host memory"),
    -13: Code("MISALIGNED_SUB_BUFFER_OFFSET", "a slice does not begin at an address the device allows", "pass a copy"),
    -14: Code("EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "a command before this one failed", _SIMULATOR),
    -15: Code("COMPILE_PROGRAM_FAILURE", "the program was not compiled", "the build log says why"),
    -16: Code("LINKER_NOT_AVAILABLE", "the device has no linker", "build the program in one piece"),
    -17: Code("LINK_PROGRAM_FAILURE", "the program was not linked", "the build log says why"),
    -18: Code("DEVICE_PARTITION_FAILED", "the device could not be partitioned"),
    -19: Code("KERNEL_ARG_INFO_NOT_AVAILABLE", "the program keeps no argument names", "build with -cl-kernel-arg-info"),
    -30: Code("INVALID_VALUE", "a value is not allowed here"),
    -31: Code("INVALID_DEVICE_TYPE", "that is no device type"),
    -32: Code("INVALID_PLATFORM", "the platform is not valid", "see %opencl devices"),
    -33: Code("INVALID_DEVICE", "the device is not valid", "see %opencl devices"),
    -34: Code("INVALID_CONTEXT", "the context is not valid"),
    -35: Code("INVALID_QUEUE_PROPERTIES", "the device does not support these queue properties"),
    -36: Code(
        "INVALID_COMMAND_QUEUE",
        "the command-queue is not valid",
        "an earlier kernel may have broken it: restart the engine",
    ),
    -37: Code("INVALID_HOST_PTR", "the host memory cannot be used by the device", "pass a copy of the array"),
    -38: Code("INVALID_MEM_OBJECT", "an argument is no valid memory object"),
    -39: Code("INVALID_IMAGE_FORMAT_DESCRIPTOR", "the image format is not valid"),
    -40: Code("INVALID_IMAGE_SIZE", "the image is larger than the device allows"),
    -41: Code("INVALID_SAMPLER", "the sampler is not valid"),
    -42: Code("INVALID_BINARY", "the program binary does not fit the device", "build from source"),
    -43: Code("INVALID_BUILD_OPTIONS", "the compiler refuses a build option", "leave out the options the log names"),
    -44: Code("INVALID_PROGRAM", "the program is not valid", _OUR_FAULT),
    -45: Code("INVALID_PROGRAM_EXECUTABLE", "the program has not been built for this device", "build it first"),
    -46: Code("INVALID_KERNEL_NAME", "the program has no kernel of that name", "program.kernels lists the names"),
    -47: Code("INVALID_KERNEL_DEFINITION", "the kernel's definition differs between devices"),
    -48: Code("INVALID_KERNEL", "the kernel is not valid", _OUR_FAULT),
    -49: Code("INVALID_ARG_INDEX", "the kernel has no argument of that index"),
    -50: Code("INVALID_ARG_VALUE", "an argument's value is not allowed"),
    -51: Code(
        "INVALID_ARG_SIZE",
        "an argument's size is not that of its parameter",
        "convert the value to the parameter's type",
    ),
    -52: Code("INVALID_KERNEL_ARGS", "an argument was not set, or is not valid on this device"),
    -53: Code("INVALID_WORK_DIMENSION", "the NDRange must have 1 to 3 dimensions"),
    -54: Code(
        "INVALID_WORK_GROUP_SIZE",
        "the work-group size is not possible for this kernel on this device",
        "leave local_size out, or pass a divisor of global_size within the kernel's limit",
    ),
    -55: Code(
        "INVALID_WORK_ITEM_SIZE",
        "the local size is over the device's limit in one dimension",
        "use a smaller local_size",
    ),
    -56: Code("INVALID_GLOBAL_OFFSET", "the global offset is not possible on this device"),
    -57: Code("INVALID_EVENT_WAIT_LIST", "an event to wait for is not valid"),
    -58: Code("INVALID_EVENT", "an event is not valid"),
    -59: Code("INVALID_OPERATION", "the device does not support this operation"),
    -60: Code("INVALID_GL_OBJECT", "the OpenGL object is not valid"),
    -61: Code("INVALID_BUFFER_SIZE", "a buffer is empty or over the device's limit"),
    -62: Code("INVALID_MIP_LEVEL", "the mip level is not valid"),
    -63: Code("INVALID_GLOBAL_WORK_SIZE", "the global size is empty or over the device's limit"),
    -64: Code("INVALID_PROPERTY", "a property is not valid"),
    -65: Code("INVALID_IMAGE_DESCRIPTOR", "the image description is not valid"),
    -66: Code("INVALID_COMPILER_OPTIONS", "the compiler refuses an option", "leave out the options the log names"),
    -67: Code("INVALID_LINKER_OPTIONS", "the linker refuses an option", "leave out the options the log names"),
    -68: Code("INVALID_DEVICE_PARTITION_COUNT", "the device cannot be partitioned into that many"),
    -69: Code("INVALID_PIPE_SIZE", "the pipe's size is not valid"),
    -70: Code("INVALID_DEVICE_QUEUE", "the device queue is not valid"),
    -71: Code("INVALID_SPEC_ID", "the specialisation constant is not valid"),
    -72: Code("MAX_SIZE_RESTRICTION_EXCEEDED", "a __local argument is larger than the device allows"),
    -1001: Code("PLATFORM_NOT_FOUND_KHR", "no OpenCL platform was found", "pip install 'cl_magic[pocl]'"),
    -9999: Code("NVIDIA_ILLEGAL_ACCESS", "the kernel read or wrote memory out of bounds (NVIDIA)", _SIMULATOR),
}


def code_of(number: int) -> Code:
    """The code's entry; one made up of its number where OpenCL defines none.

    Examples
    --------
    >>> code_of(-54).name
    'INVALID_WORK_GROUP_SIZE'
    >>> code_of(-7777).name
    'OpenCL error -7777'
    """
    return CODES.get(number) or Code(f"OpenCL error {number}", "the driver reported an error of its own")


def launch_error(exc: Any, kernel: str, device: str, **facts: Any) -> LaunchError:  # noqa: ANN401 - PyOpenCL's error, facts
    """A LaunchError from PyOpenCL's exception, with the code in words.

    Examples
    --------
    >>> class Refused(Exception):
    ...     code, routine = -52, "clEnqueueNDRangeKernel"
    >>> launch_error(Refused(), "saxpy", "PoCL cpu").code_name
    'INVALID_KERNEL_ARGS'
    """
    number = int(getattr(exc, "code", 0))
    routine = str(getattr(exc, "routine", ""))
    code = code_of(number)
    sizes = _sizes(facts)
    where = f" in {routine}" if routine else ""
    message = f"{kernel} failed on {device}{sizes}: {code.meaning} ({code.name}, {number}{where})"
    return LaunchError(
        message,
        remedy=code.remedy,
        code=number,
        code_name=code.name,
        routine=routine,
        kernel=kernel,
        device=device,
        **facts,
    )


def _sizes(facts: dict[str, Any]) -> str:
    if "global_size" not in facts:
        return ""
    local = facts.get("local_size")
    return f" (global_size={facts['global_size']}, local_size={local or 'automatic'})"
