/** The studio's own detectors, each turned on or off for this project. */
import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { detectorsQuery } from "@/api/lint";
import { useCanWrite } from "@/api/session";
import classes from "@/features/lint/lint.module.css";
import { useDetectorSwitch } from "@/features/lint/useDetectorSwitch";
import { PlainTable } from "@/ui/PlainTable";
import { SEVERITY_WORDS, SeverityIcon } from "@/ui/SeverityIcon";
import { ErrorState, RowsSkeleton } from "@/ui/States";

export function DetectorTable() {
  const detectors = useQuery(detectorsQuery());
  const canWrite = useCanWrite();
  const { mutate, isPending } = useDetectorSwitch();
  return (
    <section className="ts-section" aria-labelledby="lint-detectors">
      <h2 className={classes.heading} id="lint-detectors">
        Detectors
      </h2>
      {detectors.data === undefined ? (
        detectors.isError ? (
          <ErrorState
            title="The detectors could not be loaded"
            message={describeError(detectors.error)}
            onRetry={() => void detectors.refetch()}
          />
        ) : (
          <RowsSkeleton label="Loading detectors" rows={6} />
        )
      ) : (
        <PlainTable aria-label="Detectors" fit="words">
          <thead>
            <tr>
              <th scope="col">On</th>
              <th scope="col">Severity</th>
              <th scope="col">Detector</th>
            </tr>
          </thead>
          <tbody>
            {detectors.data.map(({ name, title, severity, is_enabled: isEnabled }) => (
              <tr key={name}>
                <td>
                  <Switch
                    aria-label={`${title} is on`}
                    checked={isEnabled}
                    disabled={!canWrite || isPending}
                    onChange={(event) => mutate({ name, isEnabled: event.currentTarget.checked })}
                  />
                </td>
                <td>
                  <span className={`ts-inline ${classes.severity}`}>
                    <SeverityIcon severity={severity} /> {SEVERITY_WORDS[severity]}
                  </span>
                </td>
                <td>{title}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}
