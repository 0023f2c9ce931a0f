"""What happens inside a model while it runs, as named arrays."""

from seqviz.recording.named_array import NamedArray
from seqviz.recording.recorder import record
from seqviz.recording.records import Record

__all__ = ["NamedArray", "Record", "record"]
