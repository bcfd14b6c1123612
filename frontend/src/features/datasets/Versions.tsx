/** The versions of a dataset, and the changes from one to another. */
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";

import { describeError } from "@/api/client";
import { changesQuery, versionsQuery } from "@/api/datasetVersions";
import type { Dataset, DatasetVersion } from "@/api/types";
import classes from "@/features/datasets/datasets.module.css";
import { VersionChangeTable } from "@/features/datasets/VersionChangeTable";
import { datasetAddress, quoteValue } from "@/lib/tapeQuery";
import { PlainTable } from "@/ui/PlainTable";
import { Count, RelativeTime } from "@/ui/Quantities";
import { ShortId } from "@/ui/ShortId";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function Versions({ dataset }: { dataset: Dataset }) {
  const versions = useQuery(versionsQuery(dataset.id));
  return (
    <section className="ts-section" aria-labelledby="versions">
      <h2 id="versions" className={classes.heading}>
        Versions
      </h2>
      {versions.isPending ? (
        <RowsSkeleton label="Loading the versions" rows={3} />
      ) : versions.isError ? (
        <ErrorState
          title="The versions could not be loaded"
          message={describeError(versions.error)}
          onRetry={() => void versions.refetch()}
        />
      ) : versions.data.length === 0 ? (
        <p className="ts-dimmed">
          None yet. The dataset is frozen when a sweep or a training set uses it, or by “Freeze”.
        </p>
      ) : (
        <>
          <VersionTable dataset={dataset} versions={versions.data} />
          <Changes datasetId={dataset.id} versions={versions.data} />
        </>
      )}
    </section>
  );
}

interface VersionTableProps {
  dataset: Dataset;
  versions: readonly DatasetVersion[];
}

function VersionTable({ dataset, versions }: VersionTableProps) {
  return (
    <PlainTable fit="words" aria-labelledby="versions">
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col" data-align="end">
            Tapes
          </th>
          <th scope="col">Frozen</th>
          <th scope="col" title="Hash of its tape ids and their expected answers">
            Content
          </th>
          <th scope="col">
            <span className="ts-visually-hidden">Use</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {versions.map((version) => {
          const name = `${dataset.name}@${version.number}`;
          const query = new URLSearchParams({ new: "sweep", q: `dataset:${quoteValue(name)}` });
          return (
            <tr key={version.number}>
              <td className="ts-number">{version.number}</td>
              <td data-align="end">
                <Link to={datasetAddress(name)}>
                  <Count value={version.tape_count} />
                </Link>
              </td>
              <td>
                <RelativeTime value={version.created_at} />
              </td>
              <td>
                <ShortId id={version.content_hash} />
              </td>
              <td>
                <Link to={`/evaluation?${query.toString()}`}>Evaluate on it</Link>
              </td>
            </tr>
          );
        })}
      </tbody>
    </PlainTable>
  );
}

const NOW = "now";

interface ChangesProps {
  datasetId: string;
  versions: readonly DatasetVersion[];
}

function Changes({ datasetId, versions }: ChangesProps) {
  const [since, setSince] = useState<string | null>(null);
  const [to, setTo] = useState<string>(NOW);
  const from = Number(since ?? versions[0]?.number);
  const changes = useQuery(changesQuery(datasetId, from, to === NOW ? null : Number(to)));
  const options = versions.map(({ number }) => ({
    value: String(number),
    label: `Version ${number}`,
  }));
  return (
    <div>
      <div className={`ts-row ${classes.between}`}>
        <Select
          label="Changed since"
          allowDeselect={false}
          w={160}
          data={options}
          value={String(from)}
          onChange={setSince}
        />
        <Select
          label="Up to"
          allowDeselect={false}
          w={160}
          data={[{ value: NOW, label: "Current content" }, ...options]}
          value={to}
          onChange={(chosen) => setTo(chosen ?? NOW)}
        />
      </div>
      {changes.isError && <p role="alert">{describeError(changes.error)}</p>}
      {changes.data !== undefined && <VersionChangeTable changes={changes.data} />}
    </div>
  );
}
