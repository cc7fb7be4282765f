"""Random notebooks: a small typed language of cells, and the steps a user takes with them."""

from __future__ import annotations

from hypothesis import strategies as st

NUMBERS = ["a", "b", "c"]
LISTS = ["p", "q"]
CELLS = ["c1", "c2", "c3", "c4"]

number = st.sampled_from(NUMBERS)
a_list = st.sampled_from(LISTS)
position = st.sampled_from(["0", "1"])
item = st.one_of(
    st.builds("{}[{}]".format, a_list, position),
    st.builds("n[{}][{}]".format, position, position),
    st.sampled_from(["o.v", "d['x']", "d['y']"]),
    st.sampled_from(["o.a.v", "o.a.a.v", "e.a.v", "e.v"]),
)
chain = st.sampled_from(["o.a.v", "o.a.a.v", "e.a.v"])  # `Box` makes the objects on the way, unseen
atom = st.one_of(number, number, st.integers(0, 3).map(str), item)
simple = st.one_of(
    atom,
    st.builds("{} + {}".format, atom, atom),
    st.builds("len({})".format, a_list),
    st.builds("({} if {} > 1 else {})".format, atom, number, atom),
)
call = st.one_of(st.sampled_from(["f()", "g()", "m()"]), st.builds("k({})".format, atom))
value = st.one_of(simple, simple, call, st.builds("{} + {}".format, number, call))


def indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


def _function(name: str, inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pure = inner.map(lambda result: f"def {name}():\n    return {result}")
    writer = st.tuples(number, inner, inner).map(
        lambda parts: f"def {name}():\n    global {parts[0]}\n    {parts[0]} = {parts[1]}\n    return {parts[2]}"
    )
    return st.one_of(pure, pure, writer)


functions = st.one_of(
    _function("f", simple),
    _function("g", st.one_of(simple, st.just("f()"))),
    st.builds("m = lambda: {}".format, simple),
    st.builds("def k(v):\n    return v + {}".format, simple),
    number.map(lambda name: f"def k(v):\n    global {name}\n    {name} = v\n    return v"),
    st.builds("def h():\n    {}.append({})\n    return 1".format, a_list, atom),
    st.builds("def k(v):\n    {} = v\n    return v".format, chain),
)
repeatable = st.one_of(
    st.builds("{} = {}".format, number, value),
    st.builds("{} = {}".format, number, value),
    st.builds("{} += {}".format, number, simple),
    st.builds("{0} = {0} + {1}".format, number, atom),
    st.builds("{}, {} = {}, {}".format, st.just("a"), st.just("b"), simple, simple),
    st.builds("{}[{}] = {}".format, a_list, position, simple),
    st.builds("n[{}][{}] = {}".format, position, position, simple),
    st.builds("o.v = {}".format, simple),
    st.builds("d['{}'] = {}".format, st.sampled_from("xy"), simple),
    st.builds("o.v += {}".format, simple),
    st.builds("{} = {}".format, chain, simple),
    st.builds("{} += {}".format, chain, simple),
    st.builds("print({})".format, st.one_of(value, a_list, st.sampled_from(["n", "o", "d", "e", "o.a", "o.a.a"]))),
)
once = st.one_of(
    repeatable,
    repeatable,
    st.builds("{} = [{}, {}]".format, a_list, simple, simple),
    st.builds("{} = {}".format, a_list, a_list),
    st.just("n = [p, q]"),
    st.builds("d = {{'x': {}, 'y': {}}}".format, simple, simple),
    st.sampled_from(["o = Box()", "e = Box()", "e = o", "e = o.a", "o.a = e.a"]),
    st.builds("{}.append({})".format, a_list, atom),
    st.builds("n[{}].append({})".format, position, atom),
    st.builds("{} = h()".format, number),
    st.builds("del {}".format, number),
    st.just("1 / 0"),
)


def _match(subject: str, one: str, other: str, is_complete: bool) -> str:
    last = "_" if is_complete else "2"
    return f"match {subject}:\n    case 1:\n{indented(one)}    case {last}:\n{indented(other)}"


def _compound(inner: st.SearchStrategy[str], looped: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=2).map("\n".join).map(indented)
    turn = st.lists(looped, min_size=1, max_size=2).map("\n".join).map(indented)
    return st.one_of(
        st.builds("if {} > 1:\n{}else:\n{}".format, number, block, block),
        st.builds("if {} > 1:\n{}".format, number, block),
        st.builds(_match, number, block, block, st.booleans()),
        st.builds("for i in range({}):\n{}".format, st.integers(0, 2), turn),
        st.builds("try:\n{}except Exception:\n{}".format, block, block),
    ).map(str.rstrip)


statement = st.one_of(once, once, once, functions, _compound(once, repeatable))
cell_text = st.lists(statement, min_size=1, max_size=3).map("\n".join)
FIRST = "a = 1\nb = 2\nc = 3\np = [a, b]\nq = [b, c]\nn = [p, q]\no = Box()\no.v = a\ne = Box()\nd = {'x': a, 'y': 0}"
SECOND = "\n".join(
    [
        "def f():\n    return a\ndef g():\n    return f()\ndef h():\n    p.append(b)\n    return 1",
        "m = lambda: b\ndef k(v):\n    return v + c",
    ]
)
step = st.tuples(st.sampled_from(["run", "run", "run", "edit", "again", "again"]), st.sampled_from(CELLS), cell_text)
notebook = st.lists(step, min_size=2, max_size=8)
