/** A small training history, and a server that serves it. */
import type { Adapter, Finetune, TrainingSet } from "@/api/types";
import { answer } from "@/testing/answers";
import { session, uuid } from "@/testing/builders";
import { server } from "@/testing/server";

const MOMENT = "2026-01-02T12:00:00Z";

export const SET: TrainingSet = {
  id: uuid(60),
  name: "Beacons",
  kind: "chat",
  content_hash: "ab".repeat(32),
  train_count: 9,
  held_out_count: 2,
  tape_count: 3,
  size_bytes: 12_345,
  left_out: [{ why: "It is excluded from training.", tape_count: 2 }],
  stands_on: [],
  facts: {
    base: "",
    recorded_count: 0,
    rebuilt: [],
    group_count: 0,
    equal_group_count: 0,
    parts: [],
    none_held_out: "",
  },
  created_at: MOMENT,
};

export const FINETUNE: Finetune = {
  job_id: uuid(70),
  name: "keeper",
  training_set_id: SET.id,
  base: "minute",
  preset: "tiny",
  options: { steps: 50 },
  state: "succeeded",
  message: "Trained to the last step.",
  step: 50,
  steps: 50,
  loss: 0.1234,
  adapter_id: uuid(80),
  created_at: MOMENT,
  started_at: MOMENT,
  finished_at: MOMENT,
};

export const ADAPTER: Adapter = {
  id: uuid(80),
  name: "keeper",
  job_id: FINETUNE.job_id,
  training_set_id: SET.id,
  training_set_name: SET.name,
  base: "minute",
  method: "lora",
  steps: 50,
  loss: 0.1234,
  held_out_loss: 0.5,
  created_at: MOMENT,
};

const BASE = { name: "minute", family: "llama", width: 32, layers: 2, size_bytes: 90_000 };

const OPTIONS = {
  schema: { properties: { epochs: { default: 1 }, lora: { default: { rank: 16 } } } },
  presets: { tiny: { batch_size: 8, lora: { rank: 32, alpha: 64 } }, paper: {} },
};

export function serveTraining() {
  server.use(
    answer("post", "/finetunes/check", { train_count: 9, held_out_count: 2 }),
    answer("get", "/session", session()),
    answer("get", "/jobs", { items: [], next: null }),
    answer("post", "/tapes/count", { tape_count: 5 }),
    answer("get", "/finetunes", { items: [FINETUNE], next: null }),
    answer("get", "/finetunes/options", OPTIONS),
    answer("get", "/training-sets", { items: [SET], next: null }),
    answer("get", `/training-sets/${SET.id}`, SET),
    answer("get", "/adapters", { items: [ADAPTER], next: null }),
    answer("get", "/base-models", [BASE]),
    answer("get", "/distillations", { items: [], next: null }),
    answer("get", "/served-models", { items: [] }),
    answer("get", "/base-models/templates", [
      { base: "minute", problem: "", template: { keeps_prefixes: true, marks_generation: false } },
    ]),
  );
}
