"""Names of a model's modules, and those that call themselves attention."""

from fnmatch import fnmatchcase

from torch import nn


def matches(path: str, pattern: str) -> bool:
    """Whether a module has a name of this pattern, or stands inside one that has."""
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}.*")


def within(path: str, outer: str) -> bool:
    """Whether a module is another one, or stands inside it."""
    return outer in ("", path) or path.startswith(f"{outer}.")


def class_of(module: nn.Module) -> str:
    """The name of a module's class, of a scripted one that of the original."""
    return getattr(module, "original_name", type(module).__name__)


def calls_itself_attention(module: nn.Module) -> bool:
    """Whether the class has attention in its name."""
    return any(word in class_of(module).lower() for word in ("attention", "attn"))


def named(model: nn.Module, argument: str, pattern: str) -> list[str]:
    """The modules with a name of this pattern."""
    modules = dict(model.named_modules())
    found = [path for path in modules if matches(path, pattern)]
    if not found:
        known = [path for path, m in modules.items() if calls_itself_attention(m)] or list(modules)
        some = ", ".join(map(repr, known[:8])) + (", ..." if len(known) > 8 else "")
        raise ValueError(
            f"{argument} must name modules of the model, such as {some}; got {pattern!r}"
        )
    return found
