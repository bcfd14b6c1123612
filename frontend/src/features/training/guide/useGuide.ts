/** How far a person is on the way from a teacher to a tiny student, derived from existing data. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { batchesQuery } from "@/api/batches";
import { datasetNamesQuery } from "@/api/datasets";
import { allOf, type Needed } from "@/api/needed";
import { rowsOf } from "@/api/pages";
import { activeRerunsQuery } from "@/api/reruns";
import { servedQuery } from "@/api/serving";
import { adaptersQuery, baseModelsQuery, finetunesQuery, trainingSetsQuery } from "@/api/training";
import type { Adapter, BaseModel, Finetune, Rerun, ServedModel, TrainingSet } from "@/api/types";

export const TRAIN = "math-train";
export const TEST = "math-test";
export const TEACHER = "math-teacher";
export const TEACHER_EXAM = "math-teacher-exam";
export const STUDENT_EXAM = "math-student-exam";
export const SET = "math";

/** How often to look for a batch: it appears a moment after its runs were requested. */
const LOOK_MS = 2000;

/** A batch by its name: missing, still running, or complete. */
export interface Runs {
  batchId: string | null;
  going: Rerun | null;
  isDone: boolean;
}

export interface Guide {
  hasProblems: boolean;
  teacher: Runs;
  teacherExam: Runs;
  bases: readonly BaseModel[];
  set: TrainingSet | null;
  finetune: Finetune | null;
  adapter: Adapter | null;
  served: ServedModel | null;
  studentExam: Runs;
}

export function useGuide(): Needed<Guide> {
  const { data, ...needed } = allOf({
    datasets: useQuery(datasetNamesQuery()),
    batches: useQuery({ ...batchesQuery(), refetchInterval: LOOK_MS }),
    reruns: useQuery(activeRerunsQuery()),
    bases: useQuery(baseModelsQuery()),
    sets: useInfiniteQuery(trainingSetsQuery()),
    finetunes: useInfiniteQuery(finetunesQuery()),
    adapters: useInfiniteQuery(adaptersQuery()),
    served: useQuery(servedQuery()),
  });
  return { data: data === undefined ? undefined : readGuide(data), ...needed };
}

interface Known {
  datasets: readonly { name: string }[];
  batches: readonly { id: string; name: string }[];
  reruns: readonly Rerun[];
  bases: readonly BaseModel[];
  sets: Pages<TrainingSet>;
  finetunes: Pages<Finetune>;
  adapters: Pages<Adapter>;
  served: readonly ServedModel[];
}

interface Pages<Row> {
  pages: readonly { items: readonly Row[] }[];
}

function readGuide({ datasets, batches, reruns, bases, served, ...paged }: Known): Guide {
  const names = datasets.map(({ name }) => name);
  const runsOf = (wanted: string): Runs => {
    const batchId = batches.find(({ name }) => name === wanted)?.id ?? null;
    const going = reruns.find(({ batch_name: name }) => name === wanted) ?? null;
    return { batchId, going, isDone: batchId !== null && going === null };
  };
  const set = rowsOf(paged.sets).find(({ name }) => name === SET) ?? null;
  const finetune =
    set === null
      ? null
      : (rowsOf(paged.finetunes).find(({ training_set_id: id }) => id === set.id) ?? null);
  const adapter = rowsOf(paged.adapters).find(({ id }) => id === finetune?.adapter_id) ?? null;
  return {
    hasProblems: names.includes(TRAIN) && names.includes(TEST),
    teacher: runsOf(TEACHER),
    teacherExam: runsOf(TEACHER_EXAM),
    bases,
    set,
    finetune,
    adapter,
    served: served.find(({ adapter_id: id }) => id !== null && id === adapter?.id) ?? null,
    studentExam: runsOf(STUDENT_EXAM),
  };
}
