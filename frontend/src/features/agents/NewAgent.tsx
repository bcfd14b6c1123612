/** Makes an agent without code: from a blank, from one that ships, from a file. */
import {
  Alert,
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";

import { type AgentFiles, importAgent, toolsQuery } from "@/api/agentDrafts";
import { addAgent, agentKeys, galleryQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { modelsQuery } from "@/api/models";
import type { AgentDetail, AgentSpec } from "@/api/types";
import { AgentFileFields } from "@/features/agents/AgentFileFields";
import { FIRST_MESSAGE } from "@/features/agents/StartTape";
import { optionsOf } from "@/lib/options";

const ORIGINS = [
  { value: "blank", label: "Blank" },
  { value: "gallery", label: "Bundled agent" },
  { value: "file", label: "From a file" },
] as const;
const NO_FILES: AgentFiles = { text: "", path: "", others: [] };
type Origin = (typeof ORIGINS)[number]["value"];

/** `known` are the names that are taken. */
export function NewAgent({ known }: { known: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen(true)}>
        New agent
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="New agent" size={520}>
        {isOpen && <NewAgentForm known={known} />}
      </Modal>
    </>
  );
}

function NewAgentForm({ known }: { known: readonly string[] }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const gallery = useQuery(galleryQuery());
  const models = useQuery(modelsQuery());
  const [origin, setOrigin] = useState<Origin>("blank");
  const [name, setName] = useState("");
  const [source, setSource] = useState<string | null>(null);
  const [files, setFiles] = useState(NO_FILES);
  const [blank, setBlank] = useState<BlankParts>({ instruction: INSTRUCTION, tools: [] });
  const bundled = gallery.data?.find((agent) => agent.name === source);
  // It is then edited, or has its first message written.
  const make = useMutation<AgentDetail, Error, "edit" | "try">({
    mutationFn: () => {
      if (origin === "file") return importAgent(files);
      const spec =
        origin === "gallery" && bundled !== undefined
          ? bundled.spec
          : makeBlank(models.data?.[0]?.name ?? STAND_IN, blank);
      return addAgent({ ...spec, name: name.trim() });
    },
    onSuccess: async ({ id }, then) => {
      await queries.invalidateQueries({ queryKey: agentKeys.all });
      void navigate(then === "edit" ? `/agents/${id}/edit` : `/agents/${id}${FIRST_MESSAGE}`);
    },
  });
  const isTaken = known.includes(name.trim());
  const isReady =
    origin === "file"
      ? files.text.trim() !== ""
      : name.trim() !== "" && !isTaken && (origin === "blank" || bundled !== undefined);
  return (
    <form
      className="ts-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) make.mutate("edit");
      }}
    >
      <SegmentedControl
        aria-label="Begin with"
        fullWidth
        data={[...ORIGINS]}
        value={origin}
        onChange={setOrigin}
      />
      {origin === "gallery" && (
        <Select
          label="Bundled agent"
          placeholder="Choose…"
          searchable
          data={optionsOf((gallery.data ?? []).map((agent) => ({ ...agent, id: agent.name })))}
          value={source}
          onChange={(chosen) => {
            setSource(chosen);
            if (chosen !== null && name.trim() === "") setName(`${chosen}_copy`);
          }}
        />
      )}
      {origin === "file" ? (
        <AgentFileFields files={files} onChange={setFiles} />
      ) : (
        <TextInput
          label="Name"
          description="As it appears on tapes and in queries"
          placeholder="order_helper"
          data-autofocus
          maxLength={200}
          value={name}
          error={isTaken ? "The project has an agent of this name." : null}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      {origin === "blank" && <BlankFields parts={blank} onChange={setBlank} />}
      {make.isError && (
        <Alert color="red" title="Not created" role="alert">
          {describeError(make.error)}
        </Alert>
      )}
      <Group justify="flex-end" gap={8}>
        <Button
          variant="default"
          disabled={!isReady}
          loading={make.isPending}
          onClick={() => make.mutate("try")}
        >
          Create and try
        </Button>
        <Button type="submit" disabled={!isReady} loading={make.isPending}>
          Create and edit
        </Button>
      </Group>
    </form>
  );
}

/** Answers until somebody chooses a model, and says that it is a script. */
const STAND_IN = "script:stand-in";

/** One node that answers with text, to begin with. */
function makeBlank(model: string, { instruction, tools }: BlankParts): Omit<AgentSpec, "name"> {
  const settings = { name: "answer", ...(tools.length > 0 ? { tools } : {}) };
  return {
    description: "",
    llms: { default: { model, parameters: {} } },
    templates: { system: instruction },
    nodes: [{ type: "engine.TalkNode", settings }],
    subagents: [],
    environment: "",
    max_iterations: 100,
  };
}

interface BlankParts {
  instruction: string;
  tools: string[];
}

const INSTRUCTION = "You are a helpful assistant. Answer in a few plain sentences.";

interface BlankFieldsProps {
  parts: BlankParts;
  onChange: (parts: BlankParts) => void;
}

function BlankFields({ parts, onChange }: BlankFieldsProps) {
  const tools = useQuery(toolsQuery());
  return (
    <>
      <Textarea
        label="Instruction"
        autosize
        minRows={2}
        maxRows={8}
        value={parts.instruction}
        onChange={({ currentTarget }) => onChange({ ...parts, instruction: currentTarget.value })}
      />
      <TagsInput
        label="Tools"
        description="What it may call"
        placeholder={parts.tools.length === 0 ? "calculate" : ""}
        data={(tools.data ?? []).map((tool) => tool.name)}
        value={parts.tools}
        onChange={(chosen) => onChange({ ...parts, tools: chosen })}
        // Below, the list would cover the buttons of the form.
        comboboxProps={{ position: "top", middlewares: { flip: false } }}
      />
    </>
  );
}
