/** The report of a sweep as a file. */
import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

import { reportUrl } from "@/api/sweeps";

const FORMATS = [
  { format: "md", words: "In words, as Markdown" },
  { format: "csv", words: "Every attempt, as CSV" },
  { format: "json", words: "All numbers, as JSON" },
] as const;

/** `by`: what decides, as in the address of the page. */
export function ExportMenu({ jobId, by }: { jobId: string; by: string }) {
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
      </Menu.Dropdown>
    </Menu>
  );
}
