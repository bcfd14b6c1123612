/** What has a name and a page in the project, for the palette: the newest of every kind. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { batchesQuery } from "@/api/batches";
import { datasetNamesQuery } from "@/api/datasets";
import { distillationsQuery } from "@/api/distillations";
import { environmentsQuery } from "@/api/environments";
import { modelsQuery } from "@/api/models";
import { rowsOf } from "@/api/pages";
import { studiesQuery } from "@/api/studies";
import { suitesQuery } from "@/api/suites";
import { sweepsQuery } from "@/api/sweeps";
import { adaptersQuery, finetunesQuery, trainingSetsQuery } from "@/api/training";
import { batchAddress } from "@/lib/tapeQuery";

export interface NamedThing {
  /** "Sweep" */
  kind: string;
  id: string;
  name: string;
  address: string;
  /** The path of the place in the rail that it belongs to. */
  place: string;
}

interface Named {
  name: string;
}

const FRESH_MS = 30_000;

/** Lists are asked for once somebody types, and not polled. */
export function useNamedThings(isAsked: boolean): NamedThing[] {
  const once = { enabled: isAsked, refetchInterval: false, staleTime: FRESH_MS } as const;
  const datasets = useQuery({ ...datasetNamesQuery(), ...once });
  const batches = useQuery({ ...batchesQuery(), ...once });
  const sweeps = useInfiniteQuery({ ...sweepsQuery(), ...once });
  const suites = useInfiniteQuery({ ...suitesQuery(), ...once });
  const sets = useInfiniteQuery({ ...trainingSetsQuery(), ...once });
  const finetunes = useInfiniteQuery({ ...finetunesQuery(), ...once });
  const adapters = useInfiniteQuery({ ...adaptersQuery(), ...once });
  const distillations = useInfiniteQuery({ ...distillationsQuery(), ...once });
  const studies = useInfiniteQuery({ ...studiesQuery(), ...once });
  const models = useQuery({ ...modelsQuery(), ...once });
  const environments = useQuery({ ...environmentsQuery(), ...once });
  if (!isAsked) return [];
  return [
    ...list("Dataset", "/datasets", datasets.data, ({ id }) => `/datasets/${id}`),
    ...list("Batch", "/batches", batches.data, ({ name }) => batchAddress(name)),
    ...list("Sweep", "/evaluation", rowsOf(sweeps.data), ({ job_id: id }) => `/evaluation/${id}`),
    ...list("Suite", "/evaluation", rowsOf(suites.data), ({ id }) => `/evaluation/suites/${id}`),
    ...list("Training set", TRAINING, rowsOf(sets.data), ({ id }) => `${TRAINING}/sets/${id}`),
    ...list("Finetune", TRAINING, rowsOf(finetunes.data), ({ job_id: id }) => `${TRAINING}/${id}`),
    ...list("Adapter", TRAINING, rowsOf(adapters.data), ({ job_id: id }) => `${TRAINING}/${id}`),
    ...list("Distillation", TRAINING, rowsOf(distillations.data), ({ job_id: id }) => {
      return `${TRAINING}/distillations/${id}`;
    }),
    ...list("Study", TRAINING, rowsOf(studies.data), ({ job_id: id }) => {
      return `${TRAINING}/studies/${id}`;
    }),
    ...list("Model", "/models", models.data, () => "/models"),
    ...list("Environment", "/environments", environments.data?.items, () => "/environments"),
  ];
}

const TRAINING = "/training";

function list<Row extends Named>(
  kind: string,
  place: string,
  rows: readonly Row[] | undefined,
  addressOf: (row: Row) => string,
): NamedThing[] {
  return (rows ?? []).map((row, number) => {
    const { name } = row;
    return { kind, id: `${kind} ${number} ${name}`, name, address: addressOf(row), place };
  });
}
