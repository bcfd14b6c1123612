"""Commands of clusters that do what they are asked on this machine, and write it down."""

import sys
from pathlib import Path

_OPENING = """#!{python}
import json, os, pathlib, re, signal, subprocess, sys, time
state = pathlib.Path({state!r})
with (state / "asked.jsonl").open("a") as asked:
    asked.write(json.dumps([pathlib.Path(sys.argv[0]).name, *sys.argv[1:]]) + "\\n")

def start(number, command, **options):
    process = subprocess.Popen(
        command, start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
        stdout=(state / f"{{number}}.log").open("ab"), **options,
    )
    (state / f"{{number}}.pid").write_text(str(process.pid))

def end(number, word):
    (state / f"{{number}}.state").write_text(word)
    pid = state / f"{{number}}.pid"
    if pid.exists():
        try:
            os.killpg(int(pid.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            pass

def read(number):
    told = state / f"{{number}}.state"
    return told.read_text() if told.exists() else "RUNNING"
"""

_SLURM = {
    "sbatch": """
if (state / "refuses").exists():
    sys.exit("sbatch: error: invalid partition specified: moon")
number = str(len(list(state.glob("*.sh"))) + 1)
script = state / f"{number}.sh"
script.write_text(pathlib.Path(sys.argv[1]).read_text())
print("Submitted batch job", number)
if (state / "is_full").exists():
    (state / f"{number}.state").write_text("PENDING")
else:
    given = {"JOB_ID": number, "NTASKS": 1, "JOB_NUM_NODES": 1, "NODEID": 0, "PROCID": 0,
             "LOCALID": 0, "JOB_NODELIST": "node1"}
    given = {f"SLURM_{name}": str(value) for name, value in given.items()}
    start(number, ["bash", str(script)], env=os.environ | given)
""",
    "srun": """
number, arguments, files = os.environ["SLURM_JOB_ID"], sys.argv[1:], {}
while arguments[0].startswith("--"):
    name = arguments.pop(0)
    if name in ("--output", "--error"):
        path = arguments.pop(0).replace("%j", number).replace("%t", "0")
        files[name] = open(path, "ab")
status = subprocess.call(arguments, stdout=files["--output"], stderr=files["--error"])
(state / f"{number}.state").write_text("COMPLETED" if status == 0 else "FAILED")
""",
    "sacct": """
print("JobID|State|NodeList")
for number in sys.argv[sys.argv.index("-j") + 1 :: 2]:
    print(f"{number}|{read(number)}|node1")
    print(f"{number}.batch|{read(number)}|node1")
""",
    "scancel": """
end(sys.argv[1], "CANCELLED by 0")
""",
}

_SKY = {
    "sky": """
verb, arguments = sys.argv[2], sys.argv[3:]
if verb == "launch":
    import yaml
    name = arguments[arguments.index("--name") + 1]
    task = yaml.safe_load(pathlib.Path(arguments[-1]).read_text())
    (state / f"{name}.json").write_text(json.dumps(task))
    run = task["run"] + f"; echo $? > {state}/status; echo -n SUCCEEDED > {state}/{name}.state"
    start(name, ["bash", "-c", run], env=os.environ | {"HOME": str(state / "cloud")})
elif verb == "queue":
    names = [path.stem for path in state.glob("*.json")]
    print(json.dumps([{"job_name": name, "status": read(name)} for name in names]))
elif verb == "cancel":
    end(arguments[-1], "CANCELLED")
elif verb == "logs":
    print((state / f"{arguments[-1]}.log").read_text())
""",
    "python": """
os.execv({python!r}, [{python!r}, *sys.argv[1:]])
""",
}


def write_slurm(folder: Path) -> Path:
    """Write `sbatch`, `srun`, `sacct` and `scancel`; return where they keep what they did."""
    return _write(folder, _SLURM)


def write_sky(folder: Path) -> Path:
    """Write `sky`, whose cloud has another home."""
    return _write(folder, {**_SKY, "python": _SKY["python"].format(python=sys.executable)})


def _write(folder: Path, commands: dict[str, str]) -> Path:
    state = folder / "state"
    (state / "cloud").mkdir(parents=True)
    for name, text in commands.items():
        file = folder / name
        file.write_text(_OPENING.format(python=sys.executable, state=str(state)) + text)
        file.chmod(0o755)
    return state
