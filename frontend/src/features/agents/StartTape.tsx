import { Alert, Anchor, Button, Select, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import { galleryQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { jobKeys } from "@/api/jobs";
import { modelsQuery } from "@/api/models";
import { startTape, tapeKeys } from "@/api/tapes";
import type { AgentVersion } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import type { Effort } from "@/lib/efforts";
import { useKeys } from "@/lib/keys";
import { optionsOf } from "@/lib/options";
import { AttachmentBar } from "@/ui/attachments/AttachmentBar";
import { partsOfAttachments, useAttachments } from "@/ui/attachments/useAttachments";
import { EffortSelect } from "@/ui/EffortSelect";

/** The end of the address of an agent's page whose first message is to be written. */
export const FIRST_MESSAGE = "#first-message";

/** Sends the first message to an agent, and opens the new tape. */
export function StartTape({ version }: { version: AgentVersion }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const models = useQuery(modelsQuery());
  const gallery = useQuery(galleryQuery());
  const shipped = gallery.data?.find(({ name }) => name === version.spec.name);
  const example = shipped?.first_message ?? "";
  const [message, setMessage] = useState("");
  const [modelId, setModelId] = useState<string | null>(null);
  const [effort, setEffort] = useState<Effort | null>(null);
  const attachments = useAttachments();
  const field = useRef<HTMLTextAreaElement>(null);
  useKeys(
    "Agent",
    useMemo(
      () => [{ keys: "n", label: "Write the first message", run: () => field.current?.focus() }],
      [],
    ),
  );
  const { hash } = useLocation();
  useEffect(() => {
    if (hash === FIRST_MESSAGE) field.current?.focus();
  }, [hash]);
  const start = useMutation({
    mutationFn: () =>
      startTape({
        agent_version_id: version.id,
        message,
        ...partsOfAttachments(attachments.items),
        model_id: modelId,
        parameters: effort === null ? {} : { reasoning_effort: effort },
      }),
    onSuccess: ({ tape_id }) => {
      void queryClient.invalidateQueries({ queryKey: tapeKeys.lists });
      void queryClient.invalidateQueries({ queryKey: jobKeys.all });
      void navigate(`/t/${tape_id}`);
    },
  });
  const canStart = message.trim() !== "" && !start.isPending;
  return (
    <form
      className={`ts-column ${classes.start}`}
      aria-labelledby="start-title"
      onSubmit={(event) => {
        event.preventDefault();
        if (canStart) start.mutate();
      }}
    >
      <h2 id="start-title" className={classes.sectionTitle}>
        Start a new tape
      </h2>
      <div {...attachments.target}>
        <Textarea
          ref={field}
          label="First message"
          placeholder="What should it do?"
          autosize
          minRows={4}
          maxRows={14}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <AttachmentBar {...attachments} />
      </div>
      {example !== "" && message === "" && (
        <Anchor
          component="button"
          type="button"
          size="sm"
          style={{ alignSelf: "flex-start" }}
          onClick={() => {
            setMessage(example);
            field.current?.focus();
          }}
        >
          Fill in an example
        </Anchor>
      )}
      <Select
        label="Model"
        placeholder="Agent default"
        clearable
        data={optionsOf(models.data ?? [])}
        value={modelId}
        onChange={setModelId}
      />
      <EffortSelect
        label="Reasoning effort"
        placeholder="Agent default"
        value={effort}
        onChange={setEffort}
      />
      {start.isError && (
        <Alert color="red" title="Not started" role="alert">
          {describeError(start.error)}
        </Alert>
      )}
      <p className="ts-hint">
        Version {version.number} answers; changes in the draft count once they are saved.
      </p>
      <Button
        type="submit"
        leftSection={<IconPlayerPlay size={14} />}
        disabled={message.trim() === ""}
        loading={start.isPending}
      >
        Start with version {version.number}
      </Button>
    </form>
  );
}
