import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { agentQuery, agentsQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { previewRerun, startRerun } from "@/api/reruns";
import type { RerunPreview as Preview } from "@/api/types";
import type { Chosen } from "@/features/tapes/bulk/chosen";
import { LimitFields, WhoFields } from "@/features/tapes/bulk/RerunFields";
import { RerunPreview } from "@/features/tapes/bulk/RerunPreview";
import {
  NO_RERUN,
  readLimits,
  readOptions,
  type RerunDraft,
  type RerunOptions,
  type Who,
} from "@/features/tapes/bulk/rerunDraft";
import { countOf } from "@/lib/format";

interface RerunFormProps {
  chosen: Chosen;
  onStarted: (rerunId: string) => void;
}

/** Requires a preview before anything runs: changing the agent or an option requires a new one. */
export function RerunForm({ chosen, onStarted }: RerunFormProps) {
  const [draft, setDraft] = useState<RerunDraft>(NO_RERUN);
  const who = useWho(chosen, draft);
  const preview = useMutation({
    mutationFn: (options: RerunOptions) => previewRerun({ ...chosen.conditions, ...options }),
  });
  const start = useMutation({ mutationFn: startRerun, onSuccess: ({ id }) => onStarted(id) });
  const change = (part: Partial<RerunDraft>) => {
    setDraft({ ...draft, ...part });
    start.reset();
  };
  const isSeen = preview.isSuccess && preview.data.fitting > 0;
  const name = draft.name ?? suggestName(preview.data, who.label);
  const { versionId } = who;
  return (
    <form
      aria-label="Rerun tapes"
      onSubmit={(event) => {
        event.preventDefault();
        if (versionId === null) return;
        const options = readOptions(draft, versionId);
        if (!preview.isSuccess) preview.mutate(options);
        else if (isSeen && name.trim() !== "") {
          const batch = { batch_name: name.trim(), ...readLimits(draft) };
          start.mutate({ ...chosen.conditions, ...options, ...batch });
        }
      }}
    >
      <Stack gap={12}>
        <p>
          Each tape restarts after its first steps by a person or the environment. The new tapes
          form a new batch; the selected ones do not change.
        </p>
        <WhoFields
          draft={draft}
          who={who}
          onChange={(part) => {
            change(part);
            preview.reset();
          }}
        />
        {who.error !== null && <Refusal error={who.error} />}
        {preview.isError && <Refusal error={preview.error} />}
        {preview.isSuccess && <RerunPreview preview={preview.data} />}
        {isSeen && (
          <>
            <LimitFields draft={draft} onChange={change} />
            <TextInput
              label="Name of the new batch"
              maxLength={300}
              value={name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          </>
        )}
        {start.isError && <Refusal error={start.error} />}
        <Group justify="flex-end">
          {isSeen ? (
            <Button type="submit" loading={start.isPending} disabled={name.trim() === ""}>
              Run {aboutTapes(preview.data)}
            </Button>
          ) : (
            <Button type="submit" loading={preview.isPending} disabled={versionId === null}>
              Preview
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The agent to run: the one that wrote the selected tapes, unless another is chosen. */
function useWho(chosen: Chosen, draft: RerunDraft): Who {
  const agents = useQuery(agentsQuery());
  const names = new Set(chosen.rows.map((row) => row.agent_name));
  const own = names.size === 1 ? agents.data?.find(({ name }) => names.has(name)) : undefined;
  const agentId = draft.agentId ?? own?.id ?? null;
  const agent = useQuery({ ...agentQuery(agentId ?? ""), enabled: agentId !== null });
  const versions = agentId === null ? [] : (agent.data?.versions ?? []);
  const version = versions.find(({ id }) => id === draft.versionId) ?? versions[0];
  return {
    agents: agents.data ?? [],
    versions,
    agentId,
    versionId: version?.id ?? null,
    label: version === undefined ? "" : `${agent.data?.name ?? ""} v${version.number}`,
    error: agents.error ?? agent.error,
  };
}

function suggestName(preview: Preview | undefined, who: string): string {
  const [source] = preview?.sources ?? [];
  return source === undefined ? `Rerun with ${who}` : `${source.name}, ${who}`;
}

/** The number of new tapes; unknown unless all selected tapes were checked. */
function aboutTapes({ fitting, looked_at: seen, tape_count: total }: Preview): string {
  return seen < total ? "matching tapes" : countOf(fitting, "tape");
}

function Refusal({ error }: { error: unknown }) {
  return <p role="alert">{describeError(error)}</p>;
}
