import type { LLMCall } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { formatExact } from "@/lib/format";
import { isObject } from "@/lib/json";
import { visibleText } from "@/lib/visibleText";

interface TokenChance {
  token: string;
  chance: number;
  others: readonly string[];
}

const MOST = 2000;

/** The tokens of an answer with their probabilities, if the provider returned them. */
export function Logprobs({ call }: { call: LLMCall }) {
  const recorded = readTokens(call.tokens);
  const tokens = recorded.length === 0 ? readLogprobs(call.output.logprobs) : recorded;
  const counts = countsOf(call.tokens);
  if (tokens.length === 0) return counts === "" ? null : <p className={classes.same}>{counts}</p>;
  return (
    <section className={classes.block}>
      {counts !== "" && <p className="ts-hint">{counts}</p>}
      <h2 className={`ts-caption ${classes.blockName}`}>
        Probability of each token; fainter means more certain. Hover for the number.
      </h2>
      <p className="ts-words">
        {tokens.map(({ token, chance, others }, at) => (
          <span
            key={at}
            style={{ backgroundColor: shadeOf(chance) }}
            title={visibleText([`${(chance * 100).toFixed(1)} %`, ...others].join("\n"))}
          >
            {visibleText(token)}
          </span>
        ))}
      </p>
    </section>
  );
}

/** The less likely a token, the stronger its shade. */
function shadeOf(chance: number): string {
  const share = Math.round((1 - Math.min(1, Math.max(0, chance))) * 100);
  return `color-mix(in srgb, var(--ts-warn-tint) ${share}%, transparent)`;
}

/** The recorded form: parallel lists of texts and log-probabilities. */
export function readTokens(tokens: LLMCall["tokens"]): TokenChance[] {
  const { texts, logprobs } = tokens ?? {};
  if (!Array.isArray(texts) || !Array.isArray(logprobs)) return [];
  return texts.slice(0, MOST).flatMap((token: unknown, at) => {
    const logprob: unknown = logprobs[at];
    if (typeof token !== "string" || typeof logprob !== "number") return [];
    return [{ token, chance: Math.exp(logprob), others: [] }];
  });
}

function countsOf(tokens: LLMCall["tokens"]): string {
  const { prompt_ids: asked, ids } = tokens ?? {};
  const known = [
    Array.isArray(asked) ? `${formatExact(asked.length)} of the prompt` : "",
    Array.isArray(ids) ? `${formatExact(ids.length)} of the answer` : "",
  ].filter((part) => part !== "");
  return known.length === 0 ? "" : `Token ids recorded: ${known.join(", ")}`;
}

/** The chat completions form: `{content: [{token, logprob, top_logprobs}]}`. */
export function readLogprobs(value: unknown): TokenChance[] {
  const list = isObject(value) ? value.content : value;
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST).flatMap((item: unknown) => {
    if (!isObject(item) || typeof item.token !== "string") return [];
    if (typeof item.logprob !== "number") return [];
    const tops: unknown[] = Array.isArray(item.top_logprobs) ? item.top_logprobs : [];
    return [{ token: item.token, chance: Math.exp(item.logprob), others: tops.flatMap(describe) }];
  });
}

function describe(item: unknown): string[] {
  if (!isObject(item) || typeof item.token !== "string") return [];
  if (typeof item.logprob !== "number") return [];
  return [`${JSON.stringify(item.token)} ${(Math.exp(item.logprob) * 100).toFixed(1)} %`];
}
