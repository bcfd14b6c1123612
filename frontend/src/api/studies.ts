/** Studies of the form filler: from dialogue trees to the examination of a student. */
import { queryOptions, useMutation } from "@tanstack/react-query";

import { checkQuery } from "@/api/checking";
import { client, unwrap } from "@/api/client";
import { jobRowQuery, jobRowsQuery, useJobChange } from "@/api/jobRows";
import { requeueJob } from "@/api/jobs";
import type { StudySettings, TreeName } from "@/api/types";

const all = ["studies"];

/** Newest first. */
export function studiesQuery() {
  return jobRowsQuery([...all, "list"], (query, signal) =>
    unwrap(client.GET("/api/v1/studies", { params: { query }, signal })),
  );
}

export function studyQuery(jobId: string) {
  const params = { path: { job_id: jobId } };
  return jobRowQuery(
    [...all, jobId],
    (signal) => unwrap(client.GET("/api/v1/studies/{job_id}", { params, signal })),
    ({ study }) => study.state,
  );
}

/** The sizes of studies, each with all of its settings. */
export function studySizesQuery() {
  return queryOptions({
    queryKey: [...all, "sizes"],
    queryFn: ({ signal }) => unwrap(client.GET("/api/v1/studies/sizes", { signal })),
    staleTime: Infinity,
  });
}

/** What it would do, if it could be started; nothing is. `null`: nothing is asked yet. */
export function studyCheckQuery(body: StudySettings | null) {
  return checkQuery(all, body, (asked, signal) =>
    unwrap(client.POST("/api/v1/studies/check", { body: asked, signal })),
  );
}

export function useStartStudy() {
  return useJobChange(all, (body: StudySettings) =>
    unwrap(client.POST("/api/v1/studies", { body })),
  );
}

/** Resumes with the piece that was in progress. */
export function useResumeStudy(jobId: string) {
  return useJobChange<undefined>(all, () => requeueJob(jobId));
}

/** Trees that have grown to their ends; they do not change. */
export function studyTreeQuery(jobId: string, name: TreeName) {
  const params = { path: { job_id: jobId, name } };
  return queryOptions({
    queryKey: [...all, jobId, "trees", name],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/studies/{job_id}/trees/{name}", { params, signal })),
    staleTime: Infinity,
  });
}

export interface TreePlace {
  jobId: string;
  name: TreeName;
  company: string;
}

export function treeDialoguesQuery({ jobId, name, company }: TreePlace, behaviour: string) {
  const params = { path: { job_id: jobId, name, company }, query: { behaviour } };
  return queryOptions({
    queryKey: [...all, jobId, "trees", name, company, behaviour],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/api/v1/studies/{job_id}/trees/{name}/{company}", { params, signal })),
    staleTime: Infinity,
  });
}

/** Stores a dialogue of a tree as a tape, unless it is one. */
export function useOpenDialogue({ jobId, name, company }: TreePlace) {
  return useMutation({
    mutationFn: (key: string) =>
      unwrap(
        client.POST("/api/v1/studies/{job_id}/trees/{name}/{company}/{key}/open", {
          params: { path: { job_id: jobId, name, company, key } },
        }),
      ),
  });
}
