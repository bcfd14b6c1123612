/** The problems of the step in a form: from its schema while typing, from the server once saved. */
import { useCallback, useEffect, useMemo, useState } from "react";

import type { StepJson } from "@/features/tape-editor/draft";
import { useEditor } from "@/features/tape-editor/editor";
import { findProblems, NO_PROBLEMS, type Problems } from "@/features/tape-editor/form/problems";
import { joinPointer } from "@/features/tape-editor/form/pointers";
import type { Schema } from "@/features/tape-editor/form/schema";
import { callIn, decodeArguments } from "@/features/tape-editor/form/toolCall";
import { isObject, type JsonObject } from "@/lib/json";
import { dataOf } from "@/lib/stepParts";

/** From the last key press to the check of the complete step. */
const CHECK_MS = 200;

export function useFormProblems(
  index: number,
  step: StepJson,
  schema: Schema,
  toolSchema: (name: string) => Schema | undefined,
): Problems {
  const own = useChecked(
    useCallback(() => checkStep(schema, step, toolSchema), [schema, step, toolSchema]),
  );
  const reported = useEditor(({ draft }) => draft.problems);
  const isCurrent = useEditor(({ draft, typing }) => draft.save === "saved" && typing === null);
  const refusal = useEditor(({ draft }) => (draft.save === "refused" ? draft.problem : ""));
  return useMemo(() => {
    if (refusal !== "") return new Map([...own, ["", refusal]]);
    if (!isCurrent || own.size > 0) return own;
    const ofStep = reported.filter(({ position }) => position === index);
    return ofStep.length === 0
      ? own
      : new Map(ofStep.map(({ field, message }) => [field, message]));
  }, [own, reported, isCurrent, refusal, index]);
}

export function useSchemaProblems(schema: Schema, value: JsonObject): Problems {
  return useChecked(useCallback(() => findProblems(schema, value), [schema, value]));
}

/** The result of the newest check, once typing pauses. */
function useChecked(check: () => Promise<Problems>): Problems {
  const [found, setFound] = useState(NO_PROBLEMS);
  useEffect(() => {
    let isLate = false;
    const timer = setTimeout(() => {
      void check().then((now) => {
        if (!isLate) setFound((before) => (isSameMap(before, now) ? before : now));
      });
    }, CHECK_MS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [check]);
  return found;
}

async function checkStep(
  schema: Schema,
  step: StepJson,
  toolSchema: (name: string) => Schema | undefined,
): Promise<Problems> {
  const data = dataOf(step);
  const found = new Map(Object.keys(schema).length === 0 ? [] : await findProblems(schema, data));
  for (const call of callsIn(data)) {
    const known = toolSchema(call.name);
    if (known === undefined) continue;
    for (const [place, message] of await findProblems(known, call.given)) {
      found.set(`${call.pointer}${place}`, message);
    }
  }
  return found;
}

interface Call {
  pointer: string;
  name: string;
  given: unknown;
}

/** The arguments of the tool calls in a step. */
function callsIn({ tool_calls: calls }: StepJson): Call[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown, at): Call[] => {
    const shape = isObject(call) ? callIn(call) : null;
    if (!isObject(call) || shape === null) return [];
    const holder = shape.isNested && isObject(call.function) ? call.function : call;
    const given = decodeArguments(holder[shape.given]);
    if (typeof holder.name !== "string" || given === undefined) return [];
    const path = ["tool_calls", at, ...(shape.isNested ? ["function"] : []), shape.given];
    return [{ pointer: path.reduce<string>(joinPointer, ""), name: holder.name, given }];
  });
}

function isSameMap(one: Problems, other: Problems): boolean {
  return one.size === other.size && [...one].every(([key, text]) => other.get(key) === text);
}
