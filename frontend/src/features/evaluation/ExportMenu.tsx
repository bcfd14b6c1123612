/** The report of a sweep as a file. */
import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { inspectLogUrl, reportUrl } from "@/api/sweeps";
import type { Sweep } from "@/api/types";
import { visibleText } from "@/lib/visibleText";

const FORMATS = [
  { format: "md", words: "In words, as Markdown" },
  { format: "csv", words: "Every attempt, as CSV" },
  { format: "json", words: "All numbers, as JSON" },
] as const;

/** `by`: the deciding scoring, as in the address of the page. */
export function ExportMenu({ sweep, by }: { sweep: Sweep; by: string }) {
  const { job_id: jobId, variants } = sweep;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, words }) => (
          <Menu.Item key={format} component="a" href={reportUrl(jobId, format, by)} download>
            {words}
          </Menu.Item>
        ))}
        <Menu.Label>Logs for Inspect</Menu.Label>
        {variants.map(({ letter, label }) => (
          <Menu.Item key={letter} component="a" href={inspectLogUrl(jobId, letter, by)} download>
            {letter} ({visibleText(label)})
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
