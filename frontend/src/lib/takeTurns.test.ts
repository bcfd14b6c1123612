import { expect, test } from "vitest";

import { takeTurns } from "@/lib/takeTurns";

function task() {
  let end: (value: string) => void = () => undefined;
  const promise = new Promise<string>((resolve) => (end = resolve));
  return { promise, end };
}

test("so many run at a time, the others wait in order, a failure lets the next one go", async () => {
  const takeTurn = takeTurns(2);
  const tasks = [task(), task(), task()];
  const begun: number[] = [];
  const results = tasks.map(({ promise }, at) =>
    takeTurn(() => {
      begun.push(at);
      return at === 0 ? promise.then(() => Promise.reject(new Error("lost"))) : promise;
    }),
  );
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);

  tasks[0]?.end("");
  await expect(results[0]).rejects.toThrow("lost");
  expect(begun).toEqual([0, 1, 2]);
  tasks[2]?.end("third");
  tasks[1]?.end("second");

  expect(await Promise.all(results.slice(1))).toEqual(["second", "third"]);
});
