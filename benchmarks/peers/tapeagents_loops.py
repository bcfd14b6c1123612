"""The peer's agents in threads, each waiting for a model that takes long; prints JSON last."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tapeagents.dialog_tape import DialogTape, UserStep
from tapeagents.llms.base import LLMEvent, LLMOutput, LLMStream
from tapeagents_engine import ANSWER, InstantLLM, grow, make_agent


class SlowLLM(InstantLLM):
    seconds: float = 1.0

    def generate(self, prompt):
        def events():
            time.sleep(self.seconds)
            yield LLMEvent(output=LLMOutput(content=ANSWER))

        return LLMStream(events(), prompt=prompt)


def main(loops, turns, threads, seconds):
    agent = make_agent(False, SlowLLM(seconds=seconds))
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        start = DialogTape(steps=[UserStep(content="Start.")])
        list(pool.map(lambda _: grow(agent, start, 2 * turns), range(loops)))
    print(json.dumps({"seconds": time.perf_counter() - began}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
