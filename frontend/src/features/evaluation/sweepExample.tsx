import type { DecidedBy, SweepForecast, SweepReport } from "@/api/types";
import { SweepPage } from "@/features/evaluation/SweepPage";
import { answer } from "@/testing/answers";
import { agentRow, session, uuid } from "@/testing/builders";
import { renderScreen } from "@/testing/render";
import { server } from "@/testing/server";

export const SCORE = {
  estimate: { value: 0.75, low: 0.5, high: 0.9, count: 24 },
  method: "wilson" as const,
  tasks: 12,
  clusters: 12,
  missing: 0,
  left_out: 0,
};

function variant(letter: string, agent: string) {
  return {
    letter,
    label: `${agent} v1`,
    agent_version_id: uuid(41),
    agent_name: agent,
    version_number: 1,
    model_id: null,
    model_name: "",
    parameters: {},
  };
}

export const A = variant("A", "old");
export const B = variant("B", "new");
export const SENTENCE = "B (new v1) is better than A (old v1) by 12 points.";

export const OUTCOME: DecidedBy = {
  scoring_id: null,
  words: "The answer is the expected one, or a person says so.",
  scorer: null,
  expected: "frozen",
  judge: "",
  scored_count: 0,
  not_scored_count: 0,
  tokens: 0,
  cost_micro_usd: 0,
  unpriced_call_count: 0,
};

export const REPORT: SweepReport = {
  card: "",
  decided_by: OUTCOME,
  scorings: [],
  best: null,
  tags: [],
  next_steps: [],
  attacks: [],
  result_before: "",
  watching: "",
  learnt: [],
  held_models: [],
  sweep: {
    job_id: uuid(90),
    name: "prompts",
    variants: [A, B],
    task_count: 12,
    attempts: [1, 2],
    run_count: 48,
    done_count: 48,
    budget: { micro_usd: 2_000_000, tokens: null, calls: null, seconds: 1800 },
    seconds: 61,
    stands_on: [{ dataset_id: uuid(60), dataset: "exam", version: 2, tape_count: 12 }],
    state: "succeeded",
    is_pausing: false,
    message: "48 runs in 4 batches.",
    created_at: "2026-01-02T12:00:00Z",
    started_at: "2026-01-02T12:00:00Z",
    finished_at: "2026-01-02T12:01:00Z",
  },
  variants: [
    {
      variant: A,
      batches: [{ key: "A1", batch_id: uuid(21), seed: 1 }],
      run_count: 24,
      passed_count: 18,
      failed_count: 6,
      missing_count: 0,
      score: SCORE,
      unjudged: "",
      mean_value: null,
      any_of_attempts: SCORE,
      all_attempts: SCORE,
      vote: null,
      tokens: 1200,
      cost_micro_usd: 10_000,
      llm_call_count: 4,
      unpriced_call_count: 1,
      mean_seconds: 1.5,
      difference: null,
      p_value: null,
      sentence: "",
      steadiness: {
        between_share: 0.6,
        flaky_task_count: 5,
        majority: SCORE,
        sentence: "5 of 12 tasks had both results.",
      },
      watched: null,
    },
    {
      variant: B,
      batches: [{ key: "B1", batch_id: uuid(22), seed: 1 }],
      run_count: 24,
      passed_count: 0,
      failed_count: 0,
      missing_count: 24,
      score: null,
      unjudged: "None of its runs has started.",
      mean_value: null,
      any_of_attempts: null,
      all_attempts: null,
      vote: null,
      tokens: 0,
      cost_micro_usd: 0,
      llm_call_count: 0,
      unpriced_call_count: 0,
      mean_seconds: null,
      difference: { value: 0.12, low: -0.03, high: 0.27, count: 12 },
      p_value: 0.04,
      sentence: SENTENCE,
      steadiness: null,
      watched: null,
    },
  ],
  tasks: [
    {
      start_id: uuid(31),
      title: "Ada has 3 apples.",
      expected: "5",
      cells: [
        [
          {
            tape_id: uuid(51),
            passed: true,
            value: null,
            why: "It is 5.",
            answer: "5",
            is_chosen: false,
            has_verdict: false,
          },
          {
            tape_id: uuid(52),
            passed: false,
            value: 0.25,
            why: "It is 6 and not 5.",
            answer: "6",
            is_chosen: false,
            has_verdict: false,
          },
        ],
        [],
      ],
    },
  ],
  task_count: 1,
};

export const FORECAST: SweepForecast = {
  run_count: 15,
  there_count: 0,
  new_count: 15,
  tokens: null,
  cost_micro_usd: null,
  seconds: null,
  smallest_difference: null,
  reach: "",
  variants: [],
  left_out: [],
};

/** Let the studio answer with the sweep of the report. */
export function answerWithSweep(): void {
  server.use(
    answer("get", "/session", session()),
    answer("get", "/jobs", { items: [], next: null }),
    answer("get", "/agents", [agentRow({ name: "math", latest_version_id: uuid(41) })]),
    answer("get", "/models", []),
    answer("post", "/sweeps/preview", FORECAST),
    answer("post", "/tapes/count", { tape_count: 5 }),
    answer("get", "/sweeps", { items: [REPORT.sweep], next: null }),
    answer("get", `/sweeps/${REPORT.sweep.job_id}`, REPORT),
  );
}

export const showSweep = () =>
  renderScreen({
    path: "/evaluation/:jobId",
    element: <SweepPage />,
    at: `/evaluation/${REPORT.sweep.job_id}`,
  });
