/** What code of a plugin decides about an agent, and if it is nothing else, a copy without it. */
import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";

import { plainCopyQuery } from "@/api/agentDrafts";
import { addAgent, agentKeys } from "@/api/agents";
import { ForWriters } from "@/api/ForWriters";
import { showFailure } from "@/api/showFailure";
import type { AgentSpec, AgentVersion } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";
import { visibleText } from "@/lib/visibleText";

export function PlainCopy({ version }: { version: AgentVersion }) {
  const copy = useQuery(plainCopyQuery(version.id));
  if (copy.data === undefined || !copy.data.has_code) return null;
  const { spec, code } = copy.data;
  return (
    <section aria-label="Code of plugins">
      {code.length > 0 && (
        <>
          <p className={classes.prose}>
            It cannot be copied to edit it without code, because code of a plugin decides:
          </p>
          <ul className={classes.prose}>
            {code.map(({ path, message, source }) => (
              <li key={path}>
                {visibleText(message)} <span className="ts-mono">{visibleText(source)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {spec !== null && (
        <ForWriters>
          <CopyForm spec={spec} />
        </ForWriters>
      )}
    </section>
  );
}

function CopyForm({ spec }: { spec: AgentSpec }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState(`${spec.name}_copy`);
  const make = useMutation({
    mutationFn: () => addAgent({ ...spec, name: name.trim() }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: agentKeys.all });
      void navigate(`/agents/${id}/edit`);
    },
    onError: (error) => showFailure("The agent was not copied", error),
  });
  return (
    <form
      className="ts-row"
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <TextInput
        aria-label="Name of the copy"
        size="xs"
        maxLength={200}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button
        type="submit"
        variant="default"
        size="xs"
        leftSection={<IconCopy size={14} />}
        title="With node types that ship instead of the plugin's"
        disabled={name.trim() === ""}
        loading={make.isPending}
      >
        Make a copy that I can edit
      </Button>
    </form>
  );
}
