"""
Parse XML that may come from anywhere: no document type, no entities, no endless nesting.

The standard library's expat does the work; every element remembers where it stands.
"""

from __future__ import annotations

from typing import Any, Dict, Tuple
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from robot_dynamics.core.errors import ModelError

MAXIMUM_DEPTH = 200  # robot descriptions nest about eight deep


class _Located(Element):
    """An element that knows its line, and the bytes from its start to its end."""

    line = 0
    start = 0
    end = 0


def line_of(element: Element) -> int:
    """Return the line on which an element starts; 0 if it was not read from a document."""
    return element.line if isinstance(element, _Located) else 0


def span_of(element: Element) -> Tuple[int, int]:
    """Return where an element that was read begins, and the byte behind its end."""
    assert isinstance(element, _Located)
    return element.start, element.end


def parse_xml(document: bytes, source: str) -> Element:
    """
    Parse a document into a tree of elements.

    Raises
    ------
    ModelError
        If it is not well-formed, declares a document type or entities, or nests too deep.
    """
    if not document.strip():
        raise ModelError(source, 'is empty', 'give a URDF file or its text')
    parser = expat.ParserCreate()
    handler = _Handler(parser, source, document)
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

    def __init__(self, parser: Any, source: str, document: bytes) -> None:
        self.builder = TreeBuilder(_Located)
        self._parser = parser
        self._source = source
        self._document = document
        self._depth = 0

    def start(self, tag: str, attributes: Dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAXIMUM_DEPTH:
            raise ModelError(self._source, f'nests more than {MAXIMUM_DEPTH} elements deep',
                             'this is not a robot description')
        element: Any = self.builder.start(tag, attributes)
        element.line, element.start = (self._parser.CurrentLineNumber,
                                       self._parser.CurrentByteIndex)

    def end(self, tag: str) -> None:
        self._depth -= 1
        element: Any = self.builder.end(tag)
        element.end = self._parser.CurrentByteIndex
        if self._document[element.end:element.end + 2] == b'</':  # not <empty/>
            element.end = self._document.index(b'>', element.end) + 1

    def doctype(self, *_: Any) -> None:
        raise ModelError(self._source, 'declares a document type or entities (<!DOCTYPE ...>)',
                         'remove the declaration and write the entities out')
