"""Print every stored result as one page of Markdown: the table in `benchmarks/README.md`."""

import json

from harness import RESULTS, as_table

if __name__ == "__main__":
    results = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))]
    for result in sorted(results, key=lambda item: item["claim"]):
        print(as_table(result))
        machine = result.get("gpu") or result["cpu"]
        print(f"Peer: {result['peer'] or 'none'}. {machine}, commit {result['commit']}.\n")
