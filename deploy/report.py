"""Prints the ten longest files and functions, which may need to be split."""

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_SHOWN = 10
_GENERATED = ("migrations/",)


def main() -> None:
    files = [ROOT / name for name in list_tracked() if not any(part in name for part in _GENERATED)]
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    show("Longest files", {str(file.relative_to(ROOT)): count for file, count in lengths.items()})
    functions: dict[str, int] = {}
    for file in files:
        if file.suffix == ".py":
            functions |= measure_functions(file)
    show("Longest Python functions", functions)


def list_tracked() -> list[str]:
    command = ["git", "ls-files", "*.py", "*.ts", "*.tsx"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in answer.stdout.splitlines() if (ROOT / name).is_file()]


def measure_functions(file: Path) -> dict[str, int]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {
        f"{file.relative_to(ROOT)}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno
    }


def show(title: str, lengths: dict[str, int]) -> None:
    print(title)
    for name, count in sorted(lengths.items(), key=lambda item: -item[1])[:_SHOWN]:
        print(f"  {count:5}  {name}")


if __name__ == "__main__":
    main()
