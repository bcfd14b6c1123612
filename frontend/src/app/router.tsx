/** Addresses and their screens. Large screens load when they are first opened. */
import type { QueryClient } from "@tanstack/react-query";
import { createBrowserRouter, Navigate, redirectDocument, type RouteObject } from "react-router";

import { openTapeEarly } from "@/api/openTape";

import { BrokenScreen } from "@/app/BrokenScreen";
import { MissingScreen } from "@/app/MissingScreen";
import { Shell } from "@/app/Shell";
import { addressOfProject, nameProjectInAddress } from "@/lib/project";

const buildRoutes = (queries: QueryClient): RouteObject[] => [
  {
    element: <Shell />,
    errorElement: <BrokenScreen />,
    hydrateFallbackElement: <></>,
    children: [
      { path: "/", element: <Navigate to="/tapes" replace /> },
      {
        errorElement: <BrokenScreen />,
        children: [
          {
            path: "/tapes",
            lazy: async () => ({
              Component: (await import("@/features/tapes/TapesPage")).TapesPage,
            }),
          },
          {
            path: "/t/:tapeId",
            // Prefetches while the screen loads; the screen uses the results and reports failures.
            loader: ({ params, request }) => {
              const step = Number(new URL(request.url).searchParams.get("step")) || 0;
              openTapeEarly(queries, params.tapeId ?? "", step);
              return null;
            },
            shouldRevalidate: ({ currentParams, nextParams }) =>
              currentParams.tapeId !== nextParams.tapeId,
            lazy: async () => ({ Component: (await import("@/app/TapeScreen")).TapeScreen }),
          },
          {
            path: "/t/:tapeId/diff/:otherId",
            lazy: async () => ({ Component: (await import("@/features/tape-diff")).DiffPage }),
          },
          {
            path: "/batches",
            lazy: async () => ({
              Component: (await import("@/features/batches/BatchesPage")).BatchesPage,
            }),
          },
          {
            path: "/batches/compare",
            lazy: async () => ({
              Component: (await import("@/features/batches/ComparePage")).ComparePage,
            }),
          },
          {
            path: "/batches/matrix",
            lazy: async () => ({
              Component: (await import("@/features/batches/MatrixPage")).MatrixPage,
            }),
          },
          {
            path: "/projects",
            lazy: async () => ({
              Component: (await import("@/features/projects/ProjectsPage")).ProjectsPage,
            }),
          },
          {
            path: "/people",
            lazy: async () => ({
              Component: (await import("@/features/people/PeoplePage")).PeoplePage,
            }),
          },
          {
            // The target of an invitation: switching reloads, as nothing of another project may
            // stay.
            path: "/p/:projectId",
            loader: ({ params }) => redirectDocument(addressOfProject(params.projectId ?? "")),
            element: <></>,
          },
          {
            path: "/tokens",
            lazy: async () => ({
              Component: (await import("@/features/tokens/TokensPage")).TokensPage,
            }),
          },
          {
            path: "/datasets",
            lazy: async () => ({
              Component: (await import("@/features/datasets/DatasetsPage")).DatasetsPage,
            }),
          },
          {
            path: "/datasets/import",
            lazy: async () => ({
              Component: (await import("@/features/datasets/ImportExamplesPage"))
                .ImportExamplesPage,
            }),
          },
          {
            path: "/datasets/:datasetId",
            lazy: async () => ({
              Component: (await import("@/features/datasets/DatasetPage")).DatasetPage,
            }),
          },
          {
            path: "/agents",
            lazy: async () => ({
              Component: (await import("@/features/agents/AgentsPage")).AgentsPage,
            }),
          },
          {
            path: "/agents/:agentId",
            lazy: async () => ({
              Component: (await import("@/features/agents/AgentPage")).AgentPage,
            }),
          },
          {
            path: "/agents/:agentId/edit",
            lazy: async () => ({
              Component: (await import("@/features/agent-editor/AgentEditorPage")).AgentEditorPage,
            }),
          },
          {
            path: "/agents/:agentId/diff",
            lazy: async () => ({
              Component: (await import("@/features/agents/AgentDiffPage")).AgentDiffPage,
            }),
          },
          {
            path: "/training",
            lazy: async () => ({
              Component: (await import("@/features/training/TrainingPage")).TrainingPage,
            }),
          },
          {
            path: "/training/sets/:setId",
            lazy: async () => ({
              Component: (await import("@/features/training/TrainingSetPage")).TrainingSetPage,
            }),
          },
          {
            path: "/training/compare",
            lazy: async () => ({
              Component: (await import("@/features/training/ComparePage")).ComparePage,
            }),
          },
          {
            path: "/training/distillations/:jobId",
            lazy: async () => {
              const page = await import("@/features/training/distillation/DistillationPage");
              return { Component: page.DistillationPage };
            },
          },
          {
            path: "/training/studies/:jobId",
            lazy: async () => ({
              Component: (await import("@/features/training/study/StudyPage")).StudyPage,
            }),
          },
          {
            path: "/training/:jobId",
            lazy: async () => ({
              Component: (await import("@/features/training/FinetunePage")).FinetunePage,
            }),
          },
          {
            path: "/evaluation",
            lazy: async () => ({
              Component: (await import("@/features/evaluation/EvaluationPage")).EvaluationPage,
            }),
          },
          {
            path: "/evaluation/:jobId/judge/:scoringId",
            lazy: async () => ({
              Component: (await import("@/features/evaluation/JudgeBenchPage")).JudgeBenchPage,
            }),
          },
          {
            path: "/evaluation/suites",
            lazy: async () => ({
              Component: (await import("@/features/evaluation/SuitesPage")).SuitesPage,
            }),
          },
          {
            path: "/evaluation/suites/:suiteId",
            lazy: async () => ({
              Component: (await import("@/features/evaluation/SuitePage")).SuitePage,
            }),
          },
          {
            path: "/evaluation/:jobId",
            lazy: async () => ({
              Component: (await import("@/features/evaluation/SweepPage")).SweepPage,
            }),
          },
          {
            path: "/lint",
            lazy: async () => ({ Component: (await import("@/features/lint/LintPage")).LintPage }),
          },
          {
            path: "/queues",
            lazy: async () => ({
              Component: (await import("@/features/annotate/QueuesPage")).QueuesPage,
            }),
          },
          {
            path: "/queues/add",
            lazy: async () => ({
              Component: (await import("@/features/annotate/AddTapesPage")).AddTapesPage,
            }),
          },
          {
            path: "/queues/rubrics",
            lazy: async () => ({
              Component: (await import("@/features/annotate/RubricsPage")).RubricsPage,
            }),
          },
          {
            path: "/queues/rubrics/:rubricId",
            lazy: async () => ({
              Component: (await import("@/features/annotate/RubricPage")).RubricPage,
            }),
          },
          {
            path: "/queues/:queueId",
            lazy: async () => ({
              Component: (await import("@/features/annotate/QueuePage")).QueuePage,
            }),
          },
          {
            path: "/queues/:queueId/annotate",
            lazy: async () => ({
              Component: (await import("@/features/annotate/AnnotatePage")).AnnotatePage,
            }),
          },
          {
            path: "/models",
            lazy: async () => ({
              Component: (await import("@/features/models/ModelsPage")).ModelsPage,
            }),
          },
          {
            path: "/environments",
            lazy: async () => ({
              Component: (await import("@/features/environments/EnvironmentsPage"))
                .EnvironmentsPage,
            }),
          },
          {
            path: "/runs",
            lazy: async () => ({ Component: (await import("@/features/runs/RunsPage")).RunsPage }),
          },
          {
            path: "/runs/:jobId",
            lazy: async () => ({
              Component: (await import("@/features/tapes/bulk/BulkJobPage")).BulkJobPage,
            }),
          },
          {
            path: "/upload",
            lazy: async () => ({
              Component: (await import("@/features/uploads/UploadPage")).UploadPage,
            }),
          },
          { path: "*", element: <MissingScreen /> },
        ],
      },
    ],
  },
];

export function createRouter(queries: QueryClient) {
  const router = createBrowserRouter(buildRoutes(queries));
  router.subscribe(nameProjectInAddress);
  return router;
}
