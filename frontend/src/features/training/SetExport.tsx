/** A training set as files for other trainers; each format states what it cannot represent. */
import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";

import { describeError } from "@/api/client";
import { baseModelsQuery } from "@/api/training";
import { setExportUrl, setFormatsQuery, setTextsUrl } from "@/api/trainingExamples";
import type { SetFormat } from "@/api/types";
import { visibleText } from "@/lib/visibleText";
import { LostParts } from "@/ui/LostParts";

const NAMES: Record<SetFormat["format"], string> = {
  examples: "Examples, as they are",
  trl: "Prompts with completions, for TRL",
  openai: "Chats, for OpenAI",
};

interface SetExportProps {
  setId: string;
  hasHeldOut: boolean;
}

export function SetExport({ setId, hasHeldOut }: SetExportProps) {
  const [isOpen, setOpen] = useState(false);
  const formats = useQuery({ ...setFormatsQuery(setId), enabled: isOpen });
  const bases = useQuery({ ...baseModelsQuery(), enabled: isOpen });
  const rows = formats.data ?? [];
  const names = bases.data?.map(({ name }) => name) ?? [];
  return (
    <Menu position="bottom-end" width={340} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.isError && <Menu.Label role="alert">{describeError(formats.error)}</Menu.Label>}
        {formats.isPending && <Menu.Label>Loading the formats</Menu.Label>}
        {rows.map(({ format, lost }) => (
          <Menu.Item
            key={format}
            component="a"
            href={setExportUrl(setId, format, "train")}
            download
          >
            {NAMES[format]}
            <LostParts parts={lost} />
          </Menu.Item>
        ))}
        <TextItems setId={setId} side="train" bases={names} />
        {hasHeldOut && <Menu.Label>Held-out examples</Menu.Label>}
        {hasHeldOut &&
          rows.map(({ format }) => (
            <Menu.Item
              key={format}
              component="a"
              href={setExportUrl(setId, format, "held_out")}
              download
            >
              {NAMES[format]}
            </Menu.Item>
          ))}
        {hasHeldOut && <TextItems setId={setId} side="held_out" bases={names} />}
      </Menu.Dropdown>
    </Menu>
  );
}

interface TextItemsProps {
  setId: string;
  side: "train" | "held_out";
  bases: readonly string[];
}

/** The text that each base is trained on, which only the base's chat template can write. */
function TextItems({ setId, side, bases }: TextItemsProps) {
  return bases.map((base) => (
    <Menu.Item key={base} component="a" href={setTextsUrl(setId, base, side)} download>
      Text and spans, as {visibleText(base)} learns it
      <div className="ts-hint">
        Examples and thoughts that its chat template cannot render are left out
      </div>
    </Menu.Item>
  ));
}
