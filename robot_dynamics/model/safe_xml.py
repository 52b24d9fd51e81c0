"""
Parse XML that may come from anywhere: no document type, no entities, no endless nesting.

The standard library's expat does the work; every element remembers the line it starts on.
"""

from __future__ import annotations

from typing import Any, Dict, List
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from robot_dynamics.core.errors import ModelError

MAXIMUM_DEPTH = 200  # robot descriptions nest about eight deep
LINE = '{robot_dynamics}line'
"""Attribute that carries an element's line number; its form cannot occur in a file."""


def parse_xml(document: bytes, source: str) -> Element:
    """
    Parse a document into a tree of elements.

    Parameters
    ----------
    document : bytes
    source : str
        Where it comes from, for the error.

    Raises
    ------
    ModelError
        If it is not well-formed, declares a document type or entities, or nests too deep.
    """
    if not document.strip():
        raise ModelError(source, 'is empty', 'give a URDF file or its text')
    parser = expat.ParserCreate()
    handler = _Handler(parser, source)
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.builder.data
    parser.StartDoctypeDeclHandler = handler.doctype
    parser.EntityDeclHandler = handler.doctype
    parser.buffer_text = True
    try:
        parser.Parse(document, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or 'unreadable'
        raise ModelError(
            source, f'is not XML (line {error.lineno}, column {error.offset + 1}: {reason})',
            'give a URDF file or its text') from None
    except ModelError:  # a ValueError too, and already worded by the handler
        raise
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise ModelError(source, f'is not XML ({error})', 'save it as UTF-8') from None
    return handler.builder.close()


class _Handler:
    """Build elements while expat reads, and stop at what no robot description needs."""

    def __init__(self, parser: Any, source: str) -> None:
        self.builder = TreeBuilder()
        self._parser = parser
        self._source = source
        self._open: List[str] = []

    def start(self, tag: str, attributes: Dict[str, str]) -> None:
        self._open.append(tag)
        if len(self._open) > MAXIMUM_DEPTH:
            raise ModelError(self._source, f'nests more than {MAXIMUM_DEPTH} elements deep',
                             'this is not a robot description')
        self.builder.start(tag, {**attributes, LINE: str(self._parser.CurrentLineNumber)})

    def end(self, tag: str) -> None:
        self._open.pop()
        self.builder.end(tag)

    def doctype(self, *_: Any) -> None:
        raise ModelError(self._source, 'declares a document type or entities (<!DOCTYPE ...>)',
                         'remove the declaration and write the entities out')
