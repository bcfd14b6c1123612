/** Makes an agent without code: from a blank, from one that ships, from a YAML file. */
import {
  Alert,
  Button,
  FileButton,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconFileUpload, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";

import { importAgent } from "@/api/agentDrafts";
import { addAgent, agentKeys, galleryQuery } from "@/api/agents";
import { describeError } from "@/api/client";
import { modelsQuery } from "@/api/models";
import type { AgentSpec } from "@/api/types";
import { optionsOf } from "@/lib/options";

const ORIGINS = [
  { value: "blank", label: "Blank" },
  { value: "gallery", label: "Bundled agent" },
  { value: "yaml", label: "YAML" },
] as const;
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
  const [text, setText] = useState("");
  const bundled = gallery.data?.find((agent) => agent.name === source);
  const make = useMutation({
    mutationFn: () => {
      if (origin === "yaml") return importAgent(text);
      const spec =
        origin === "gallery" && bundled !== undefined
          ? bundled.spec
          : makeBlank(models.data?.[0]?.name ?? STAND_IN);
      return addAgent({ ...spec, name: name.trim() });
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: agentKeys.all });
      void navigate(`/agents/${id}/edit`);
    },
  });
  const isTaken = known.includes(name.trim());
  const isReady =
    origin === "yaml"
      ? text.trim() !== ""
      : name.trim() !== "" && !isTaken && (origin === "blank" || bundled !== undefined);
  return (
    <form
      className="ts-stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) make.mutate();
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
      {origin === "yaml" ? (
        <YamlFields text={text} onText={setText} />
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
      {make.isError && (
        <Alert color="red" title="Not created" role="alert">
          {describeError(make.error)}
        </Alert>
      )}
      <Group justify="flex-end">
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
function makeBlank(model: string): Omit<AgentSpec, "name"> {
  return {
    description: "",
    llms: { default: { model, parameters: {} } },
    templates: { system: "You are a helpful assistant. Answer in a few plain sentences." },
    nodes: [{ type: "engine.TalkNode", settings: { name: "answer" } }],
    subagents: [],
    environment: "",
    max_iterations: 100,
  };
}

const EXAMPLE = `name: order_helper
llms:
  default: {model: "script:stand-in"}
templates:
  system: You answer questions about orders.
nodes:
  - type: engine.TalkNode
    settings: {name: answer}`;

function YamlFields({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <>
      <Textarea
        label="YAML"
        description="An agent of the same name gets it as its next version"
        placeholder={EXAMPLE}
        autosize
        minRows={8}
        maxRows={20}
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      <FileButton
        accept=".yaml,.yml,application/yaml,text/yaml"
        onChange={(file) => {
          if (file !== null) void file.text().then(onText);
        }}
      >
        {(props) => (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconFileUpload size={14} />}
            {...props}
          >
            Choose a file
          </Button>
        )}
      </FileButton>
    </>
  );
}
