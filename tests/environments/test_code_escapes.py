"""Code that wants out of its interpreter, or to take more than it may: none of it succeeds."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tapes_app.environments.code.interpreter import COMMAND, Interpreted

_SECONDS = 0.5
_MEMORY_MB = 32
_LONGEST_SECONDS = 20.0
"""No call comes near it: a second over the time, or two where the interpreter has to be killed."""

_LARGEST_MB = 200
"""Of both processes together, at their largest: what they take when idle, the memory that is
allowed, and a copy of it on the way from one to the other."""

_SECRET = "swordfish-8812"

_FILES = {
    "open a file": "open($SECRET).read()",
    "open a file by pathlib": "from pathlib import Path\nPath($SECRET).read_text()",
    "open a file in bytes": "open($SECRET, 'rb').read()",
    "open a file by a detour": "open('/tmp/../' + $SECRET).read()",
    "open a file through /proc": "open('/proc/self/root' + $SECRET).read()",
    "open a file through a link": "open($LINK).read()",
    "follow a link": "from pathlib import Path\nPath($LINK).resolve().read_text()",
    "make a link": "import os\nos.symlink($SECRET, 'x')\nopen('x').read()",
    "list a folder": "import os\nos.listdir($FOLDER)",
    "list a folder by pathlib": "from pathlib import Path\nlist(Path($FOLDER).iterdir())",
    "see whether a file exists": "from pathlib import Path\nPath($SECRET).exists()",
    "read its own memory": "open('/proc/self/mem', 'rb').read()",
    "read what is mapped": "open('/proc/self/maps').read()",
    "read the program's descriptors": "open('/proc/self/fd/0').read()",
    "open a descriptor": "open(0).read()",
    "write a file": "open($FOLDER + '/made', 'w').write('x')",
    "write by pathlib": "from pathlib import Path\nPath($FOLDER + '/made').write_text('x')",
    "delete a file": "import os\nos.remove($SECRET)",
    "rename a file": "from pathlib import Path\nPath($SECRET).rename($FOLDER + '/made')",
    "make a folder": "import os\nos.mkdir($FOLDER + '/made')",
    "import a file": "import sys\nsys.path.append($FOLDER)\nimport secret",
    "read a device": "open('/dev/zero', 'rb').read()",
}
_SECRETS = {
    "read a variable": "import os\nos.environ['SECRET']",
    "list the variables": "import os\ndict(os.environ)",
    "get a variable": "import os\nos.getenv('SECRET')",
    "read the variables of the process": "open('/proc/self/environ').read()",
    "read those of the parent": "import os\nopen(f'/proc/{os.getppid()}/environ').read()",
}
_PROGRAMS = {
    "run a command": "import os\nos.system('id')",
    "run a program": "import subprocess\nsubprocess.run(['id'])",
    "open a pipe": "import os\nos.popen('id').read()",
    "fork": "import os\nwhile True: os.fork()",
    "become a program": "import os\nos.execv('/bin/id', ['id'])",
    "load the C library": "import ctypes\nctypes.CDLL(None).system(b'id')",
    "send a signal": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "open a socket": "import socket\nsocket.create_connection(('127.0.0.1', 80))",
    "fetch a page": "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')",
    "connect by asyncio": "import asyncio\nawait asyncio.open_connection('127.0.0.1', 80)",
    "start a thread": "import threading\nthreading.Thread(target=print).start()",
}
_TRAVERSALS = {
    "subclasses of object": "().__class__.__bases__[0].__subclasses__()",
    "the order of resolution": "''.__class__.__mro__[-1].__subclasses__()",
    "getattr with a made name": "getattr((), '__cl' + 'ass__')",
    "the globals of a function": "(lambda: 0).__globals__",
    "the code of a function": "def f(): pass\nf.__code__",
    "the closure of a function": "def f():\n  x = 1\n  return lambda: x\nf().__closure__",
    "a method's self": "print.__self__",
    "a built-in's module": "len.__self__.__import__('os')",
    "builtins": "__builtins__['__import__']('os')",
    "the import function": "__import__('os').system('id')",
    "importlib": "import importlib\nimportlib.import_module('subprocess')",
    "builtins by name": "import builtins\nbuiltins.open",
    "the modules": "import sys\nsys.modules['os']",
    "the frame": "import sys\nsys._getframe(1).f_globals",
    "the frame of an exception": "try:\n  1/0\nexcept Exception as e:\n  e.__traceback__.tb_frame",
    "the frame of a generator": "(x for x in [1]).gi_frame.f_back",
    "the frame of a coroutine": "async def f(): pass\nf().cr_frame",
    "a format string": "'{0.__class__.__init__.__globals__}'.format(1)",
    "a format string of a class": (
        "class A:\n  def __init__(self): pass\n'{0.__init__.__globals__}'.format(A())"
    ),
    "format_map": "'{a.__class__}'.format_map({'a': 1})",
    "eval of an import": 'eval(\'__import__("os").popen("id").read()\')',
    "eval with builtins": "eval('open', {'__builtins__': {}}).__globals__",
    "compile": "exec(compile('import ctypes', 'x', 'exec'))",
    "a class made by type": "type('A', (object,), {'__del__': print})().__class__.__base__",
    "a destructor": "class A:\n  def __del__(self): open($SECRET)\na = A()\na = 1\na.missing",
    "a metaclass": "class M(type):\n  def __call__(s): pass\nclass A(metaclass=M): pass",
    "match on attributes": "match 1:\n  case int(__class__=c): c\nc.__subclasses__()",
    "pickle": "import pickle\npickle.loads(b\"cos\\nsystem\\n(S'id'\\ntR.\")",
    "marshal": "import marshal, types\ntypes.FunctionType(marshal.loads(b''), {})",
    "a debugger": "breakpoint()",
    "input": "input()",
    "gc": "import gc\ngc.get_objects()",
    "inspect": "import inspect\ninspect.stack()",
    "a pretended module": "import sys\nsys.modules = {}\nimport ctypes",
}
_FLOODS = {
    "a loop": "while True: pass",
    "a loop that catches all": "while True:\n  try: 1 / 0\n  except BaseException: pass",
    "a loop in finally": "try:\n  while True: pass\nfinally:\n  while True: pass",
    "a coroutine that never ends": "async def f():\n  while True: pass\nawait f()",
    "a deep recursion": "def f(): return f()\nf()",
    "a recursion by repr": "class A:\n  def __repr__(s): return repr(s)\nrepr(A())",
    "a recursion by sort": "def f(x): return sorted([1], key=f)\nf(1)",
    "a huge number": "10 ** 10 ** 10",
    "a huge power": "pow(3, 10 ** 8) % 7",
    "a power that nothing interrupts": "[pow(3, 3 * 10 ** 7) % 7 for i in range(99)]",
    "a slow factorial": "import math\nmath.factorial(10 ** 7)",
    "a shift": "1 << 10 ** 12",
    "a huge list": "[0] * 10 ** 10",
    "a list that grows": "x = [1]\nwhile True: x += x",
    "a dict that grows": "x = {}\nwhile True: x[len(x)] = [0] * 100",
    "a huge text": "'x' * 10 ** 10",
    "a text that grows": "x = 'x'\nwhile True: x += x",
    "a wide format": "'{:>9999999999}'.format(1)",
    "a wide f-string": "f'{1:>9999999999}'",
    "an old format": "'%9999999999d' % 1",
    "a justified text": "'x'.ljust(10 ** 10)",
    "replacements": "('a' * 10 ** 6).replace('a', 'b' * 10 ** 6)",
    "a joined text": "('x' * 10 ** 6).join(['y'] * 10 ** 6)",
    "a range as a list": "list(range(10 ** 12))",
    "a sum of a range": "sum(x for x in range(10 ** 12))",
    "a product": "import itertools\nlist(itertools.product(range(1000), repeat=6))",
    "an endless iterator": "import itertools\nlist(itertools.count())",
    "bytes": "bytes(10 ** 11)",
    "digits": "int('9' * 10 ** 7)",
    "a regular expression": "import re\nre.match(r'(.*)(.*)(.*)(.*)(.*)(.*)\\6z', 'a' * 5000)",
    "deep JSON": "import json\njson.loads('[' * 10 ** 6)",
    "deep source": "eval('(' * 10 ** 5 + ')' * 10 ** 5)",
    "deep operators": "eval('-' * 10 ** 5 + '1')",
    "code that grows": "x = 'exec(x)'\nexec(x)",
    "a long exception": "raise ValueError('x' * 10 ** 7)",
    "precise decimals": (
        "from decimal import Decimal, getcontext\ngetcontext().prec = 10 ** 8\nDecimal(2).sqrt()"
    ),
    "exit": "raise SystemExit",
    "an interrupt": "raise KeyboardInterrupt",
}
_LOUD = {
    "endless output": "while True: print('x' * 1000)",
    "a large output": "for i in range(10): print('x' * 10 ** 6)",
    "a large value": "'x' * 10 ** 7",
    "a value of many objects": "[[] for i in range(50_000)]\n",
    "a value that is endless to write": "a = [0]\nfor i in range(60): a = [a, a]\na",
    "a value in itself": "a = []\na.append(a)\na",
    "a deep value": "a = []\nfor i in range(100_000): a = [a]\na",
    "a long sleep": "import time\ntime.sleep(10 ** 6)",
    "sleeping tasks": "import asyncio\nawait asyncio.gather(*[asyncio.sleep(9e6)] * 100)",
}
"""These may succeed, but the model reads little."""

_REFUSED = _FILES | _SECRETS | _PROGRAMS | _TRAVERSALS | _FLOODS


@dataclass(frozen=True, slots=True)
class Place:
    folder: Path
    program: subprocess.Popen[str]

    def interpret(self, code: str) -> Interpreted:
        """Interpret code from the beginning; what it takes is checked in any case."""
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        began = time.monotonic()
        self.program.stdin.write(json.dumps({"code": self._fill(code), "state": ""}) + "\n")
        self.program.stdin.flush()
        answer = Interpreted.model_validate_json(self.program.stdout.readline())
        assert time.monotonic() - began < _LONGEST_SECONDS
        processes = [psutil.Process(self.program.pid)]
        processes += processes[0].children(recursive=True)
        assert len(processes) <= 2
        assert sum(map(_peak_mb, processes)) < _LARGEST_MB
        assert _SECRET not in answer.model_dump_json()
        return answer

    def _fill(self, code: str) -> str:
        for name, path in (("SECRET", "secret.py"), ("LINK", "link"), ("FOLDER", "")):
            code = code.replace(f"${name}", repr(str(self.folder / path)))
        return code


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("place")
    (folder / "secret.py").write_text(f"secret = {_SECRET!r}", encoding="utf-8")
    (folder / "link").symlink_to(folder / "secret.py")
    limits = {
        "seconds": _SECONDS,
        "memory_mb": _MEMORY_MB,
        "output_characters": 1_000,
        "state_characters": 48_000,
    }
    program = subprocess.Popen(
        COMMAND,
        env={"SECRET": _SECRET},
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with program:
        assert program.stdin is not None
        program.stdin.write(json.dumps(limits) + "\n")
        yield Place(folder, program)
    assert sorted(path.name for path in folder.iterdir()) == ["link", "secret.py"]


def _peak_mb(process: psutil.Process) -> float:
    for line in Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


@pytest.mark.parametrize("attempt", _REFUSED)
def test_no_attempt_succeeds(place: Place, attempt: str) -> None:
    answer = place.interpret(_REFUSED[attempt])

    assert answer.error
    assert len(answer.error) < 5_000
    assert place.interpret("40 + 2").output == "42"


@pytest.mark.parametrize("attempt", _LOUD)
def test_what_floods_its_reader_is_cut(place: Place, attempt: str) -> None:
    answer = place.interpret(_LOUD[attempt])

    assert len(answer.output) < 1_100
    assert place.interpret("40 + 2").output == "42"


@pytest.fixture
def interpret(place: Place) -> Callable[[str], str]:
    return lambda code: place.interpret(code).output


@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("import math\nround(math.sqrt(2), 3)", "1.414"),
        ("import json\njson.loads('[1, 2]')[1]", "2"),
        ("import re\nre.findall(r'\\d+', 'a1b22')", "['1', '22']"),
        ("sorted({'b': 1, 'a': 2}.items())", "[('a', 2), ('b', 1)]"),
        ("from datetime import date\ndate(2026, 1, 2)", "datetime.date(2026, 1, 2)"),
        ("class A:\n  def __init__(self): self.x = 1\nA()", "A(x=1)"),
        (
            "{(1,), 'ä'} - {'ä'}, set(), b'x', 2 ** 20_000 > 0",
            "({(1,)}, set([]), b'x', True)",
        ),
        ("2 ** 20_000", "<an integer of 20,001 bits>"),
    ],
)
def test_honest_code_works(interpret: Callable[[str], str], code: str, output: str) -> None:
    assert interpret(code) == output
