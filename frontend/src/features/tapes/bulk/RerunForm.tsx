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

/** Nothing is run before it was looked at: another agent or option asks for another look. */
export function RerunForm({ chosen, onStarted }: RerunFormProps) {
  const [draft, setDraft] = useState<RerunDraft>(NO_RERUN);
  const who = useWho(chosen, draft);
  const look = useMutation({
    mutationFn: (options: RerunOptions) => previewRerun({ ...chosen.conditions, ...options }),
  });
  const start = useMutation({ mutationFn: startRerun, onSuccess: ({ id }) => onStarted(id) });
  const change = (part: Partial<RerunDraft>) => {
    setDraft({ ...draft, ...part });
    start.reset();
  };
  const isSeen = look.isSuccess && look.data.fitting > 0;
  const name = draft.name ?? suggestName(look.data, who.label);
  const { versionId } = who;
  return (
    <form
      aria-label="Rerun tapes"
      onSubmit={(event) => {
        event.preventDefault();
        if (versionId === null) return;
        const options = readOptions(draft, versionId);
        if (!look.isSuccess) look.mutate(options);
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
            look.reset();
          }}
        />
        {who.error !== null && <Refusal error={who.error} />}
        {look.isError && <Refusal error={look.error} />}
        {look.isSuccess && <RerunPreview preview={look.data} />}
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
              Run {aboutTapes(look.data)}
            </Button>
          ) : (
            <Button type="submit" loading={look.isPending} disabled={versionId === null}>
              Preview
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Who may run: the agent that wrote the selected tapes unless another one is chosen. */
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

/** As many as there will be; where not all were looked at nobody knows yet. */
function aboutTapes({ fitting, looked_at: seen, tape_count: total }: Preview): string {
  return seen < total ? "matching tapes" : countOf(fitting, "tape");
}

function Refusal({ error }: { error: unknown }) {
  return <p role="alert">{describeError(error)}</p>;
}
