/** The page of a single object: while it loads, if that fails, and with its data. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { describeError, wayBack } from "@/api/client";
import { PageHeader } from "@/ui/PageHeader";
import { ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";

interface LoadedFrameProps<Data> {
  /** "Training set"; lowercased inside sentences. */
  what: string;
  query: UseQueryResult<Data>;
  /** The list that it is in; shown if it does not exist. */
  list: { to: string; what: string };
  header: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}

export function LoadedFrame<Data>({ what, query, list, header, children }: LoadedFrameProps<Data>) {
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
            back={wayBack(query.error, list.to, list.what)}
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
