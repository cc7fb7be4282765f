"""Parses a formula as typed into a tree. openpyxl splits it into tokens; this module knows how operators bind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from whence.model.lazy_module import LazyModule
from whence.notebook.sheet.formula.errors import CODES, SYNTAX, error
from whence.notebook.sheet.formula.tree import Binary, Call, Logical, Missing, Number, Text, Tree, Unary, Wrong

if TYPE_CHECKING:
    from openpyxl.formula import tokenizer
else:  # loaded with the first formula: importing openpyxl takes long
    tokenizer = LazyModule("openpyxl.formula.tokenizer")

_STRENGTH = {"=": 1, "<>": 1, "<": 1, ">": 1, "<=": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 6}
"""How strongly each operator between two operands binds."""
_SIGN = 7
"""A sign binds more strongly than ^: in every spreadsheet -2^2 is 4, whatever mathematics says."""

Refer = Callable[[str], Tree]
"""Returns the tree of a reference such as B2, $C$3:C9 or [@price], as it is meant where the formula stands."""


class BadFormula(Exception):
    """The formula cannot be parsed; the message says why."""


def parse(text: str, refer: Refer) -> Tree:
    """Return the tree of a formula that begins with `=`; raise BadFormula if it cannot be parsed."""
    try:
        tokens = [token for token in tokenizer.Tokenizer(text).items if token.type != tokenizer.Token.WSPACE]
    except (tokenizer.TokenizerError, IndexError) as failure:  # IndexError: openpyxl pops an empty stack at a stray )
        raise BadFormula(f"It cannot be read: {failure}.") from failure
    reader = _Reader(tokens, refer)
    tree = reader.expression(0)
    if reader.token is not None:
        raise BadFormula(f"There is something after its end: {reader.token.value}.")
    return tree


class _Reader:
    """Precedence climbing over the tokens, once from left to right."""

    def __init__(self, tokens: list[tokenizer.Token], refer: Refer) -> None:
        self._tokens = tokens
        self._refer = refer
        self._place = 0

    @property
    def token(self) -> tokenizer.Token | None:
        """The next token; None at the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def expression(self, least: float) -> Tree:
        """Return an operand with all operators after it that bind at least this strongly."""
        left = self._operand()
        while (token := self.token) is not None:
            if token.type == tokenizer.Token.OP_POST:
                self._place += 1
                left = Unary("%", left)
                continue
            strength = _STRENGTH.get(token.value, 0) if token.type == tokenizer.Token.OP_IN else 0
            if strength == 0 or strength < least:
                break
            self._place += 1
            # A little more than its own strength, so that equal operators group from the left: 8-4-2 is 2.
            left = Binary(token.value, left, self.expression(strength + 0.5))
        return left

    def _operand(self) -> Tree:
        token = self._next()
        if token.type == tokenizer.Token.OP_PRE:
            return Unary(token.value, self.expression(_SIGN))
        if token.type == tokenizer.Token.OPERAND:
            return self._value(token)
        if token.type == tokenizer.Token.PAREN and token.subtype == tokenizer.Token.OPEN:
            inner = self.expression(0)
            self._close(tokenizer.Token.PAREN)
            return inner
        if token.type == tokenizer.Token.FUNC and token.subtype == tokenizer.Token.OPEN:
            return Call(token.value[:-1].strip().upper(), self._arguments())
        raise BadFormula(f"{token.value} stands where a value should be.")

    def _arguments(self) -> tuple[Tree, ...]:
        args: list[Tree] = []
        while True:
            token = self._peek()
            is_end = token.type == tokenizer.Token.FUNC and token.subtype == tokenizer.Token.CLOSE
            if is_end and not args:
                self._place += 1
                return ()
            args.append(Missing() if is_end or token.type == tokenizer.Token.SEP else self.expression(0))
            token = self._next()
            if token.type == tokenizer.Token.FUNC and token.subtype == tokenizer.Token.CLOSE:
                return tuple(args)
            if token.type != tokenizer.Token.SEP:
                raise BadFormula(f"A comma or a closing parenthesis is missing before {token.value}.")

    def _value(self, token: tokenizer.Token) -> Tree:
        match token.subtype:
            case tokenizer.Token.NUMBER:
                number = float(token.value)
                # Above 2**53 the float has lost digits, so it is not taken for a whole number.
                is_whole = number.is_integer() and abs(number) < 2**53 and "." not in token.value
                return Number(int(number) if is_whole else number)
            case tokenizer.Token.TEXT:
                return Text(token.value[1:-1].replace('""', '"'))
            case tokenizer.Token.LOGICAL:
                return Logical(token.value.upper() == "TRUE")
            case tokenizer.Token.ERROR:
                known = error(token.value if token.value in CODES else SYNTAX)
                return Wrong(known.code, known.why)
        return self._refer(token.value)

    def _close(self, kind: str) -> None:
        token = self._next()
        if token.type != kind or token.subtype != tokenizer.Token.CLOSE:
            raise BadFormula(f"A closing parenthesis is missing before {token.value}.")

    def _peek(self) -> tokenizer.Token:
        if self.token is None:
            raise BadFormula("It ends too early.")
        return self.token

    def _next(self) -> tokenizer.Token:
        token = self._peek()
        self._place += 1
        return token
