/** The page of a single object: while it loads, if that fails, and with its data. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { describeError } from "@/api/client";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface LoadedFrameProps<Data> {
  /** "Training set"; lowercased inside sentences. */
  what: string;
  query: UseQueryResult<Data>;
  header: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}

export function LoadedFrame<Data>({ what, query, header, children }: LoadedFrameProps<Data>) {
  const { data } = query;
  const retry = () => void query.refetch();
  const word = what.toLowerCase();
  if (data === undefined) {
    return (
      <>
        <PageHeader title={what} />
        {query.isPending ? (
          <RowsSkeleton label={`Loading the ${word}`} rows={6} />
        ) : (
          <ErrorState
            title={`The ${word} could not be loaded`}
            message={describeError(query.error)}
            onRetry={retry}
          />
        )}
      </>
    );
  }
  return (
    <>
      {header(data)}
      {query.isError && <StaleNotice message={describeError(query.error)} onRetry={retry} />}
      {children(data)}
    </>
  );
}
