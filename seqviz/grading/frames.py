"""Messages between the examiner and a student's process: eight bytes with the size, the message."""

from typing import BinaryIO

from seqviz.grading.wire import LARGEST


def put(file: BinaryIO, message: bytes) -> None:
    """Write a message."""
    file.write(len(message).to_bytes(8) + message)
    file.flush()


def get(file: BinaryIO) -> bytes | None:
    """Read a message; None where the other side has ended or writes what is none."""
    size = int.from_bytes(file.read(8))
    if not 0 < size <= LARGEST:
        return None
    message = file.read(size)
    return message if len(message) == size else None
