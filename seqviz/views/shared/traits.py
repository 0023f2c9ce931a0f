"""The controls of a view: what Python and the page share, and what they refuse."""

from collections.abc import Callable
from functools import wraps

import traitlets

from seqviz.views.shared.checking import real, unicode, whole


def control(trait: traitlets.TraitType) -> traitlets.TraitType:
    """A trait that the page shares and that a picture is taken with."""
    return trait.tag(sync=True, control=True)


class Refused(traitlets.TraitError, ValueError):
    """A control that cannot stand there; it is a ValueError too, for who calls a view."""


def refusing(check: Callable) -> Callable:
    """Turn a check's error into the only one at which traitlets keeps the old value."""

    @wraps(check)
    def checked(*given):
        try:
            return check(*given)
        except (LookupError, TypeError, ValueError) as problem:
            raise Refused(str(problem)) from None

    return checked


def checks(*names: str) -> Callable:
    """Make a method (self, name, value) the check of these controls; it returns the value."""

    def made(check: Callable) -> traitlets.ValidateHandler:
        def checked(self, proposal):
            return refusing(check)(self, proposal.trait.name, proposal.value)

        return traitlets.validate(*names)(checked)

    return made


class Whole(traitlets.Int):
    """A whole number. True is none, though it equals 1."""

    @refusing
    def validate(self, _, value) -> int:
        """Check the kind of value; the view checks the range."""
        return whole(self.name, value)


class Number(traitlets.Float):
    """A number. True is none."""

    @refusing
    def validate(self, _, value) -> float:
        """Check the kind of value; the view checks the range."""
        return real(self.name, value)


class Choice(traitlets.Enum):
    """One of some words."""

    def validate(self, view, value) -> str:
        """Check that it is one; an array would not tell whether it equals a word."""
        if not isinstance(value, str):
            self.error(view, value)
        return super().validate(view, value)


class Text(traitlets.TraitType):
    """A string; None is none, though traitlets takes it for most."""

    @refusing
    def validate(self, _, value) -> str:
        """Check the kind of value."""
        if not isinstance(value, str):
            raise TypeError(f'{self.name}: expected a string, "" for none; came {value!r}')
        return unicode(self.name, value)


class Place(traitlets.TraitType):
    """A whole number, or a word for several."""

    @refusing
    def validate(self, _, value) -> int | str:
        """Check the kind of value; the view checks which."""
        return value if isinstance(value, str) else whole(self.name, value, "a number or a word")
