import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate } from "react-router";

import { ForWriters } from "@/api/ForWriters";
import { addAgent, agentKeys, galleryQuery } from "@/api/agents";
import { showFailure } from "@/api/showFailure";
import type { GalleryAgent } from "@/api/types";
import classes from "@/features/agents/Agents.module.css";

/** The bundled agents that are not in this project yet. */
export function Gallery({ known }: { known: readonly string[] }) {
  const { data } = useQuery(galleryQuery());
  const others = (data ?? []).filter(({ name }) => !known.includes(name));
  if (others.length === 0) return null;
  return (
    <section className={classes.gallery} aria-labelledby="gallery">
      <h2 id="gallery" className={classes.sectionTitle}>
        More bundled agents
      </h2>
      <ul>
        {others.map((agent) => (
          <GalleryRow key={agent.name} agent={agent} />
        ))}
      </ul>
    </section>
  );
}

function GalleryRow({ agent }: { agent: GalleryAgent }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const add = useMutation({
    mutationFn: () => addAgent(agent.spec),
    onSuccess: async ({ id }) => {
      await queryClient.invalidateQueries({ queryKey: agentKeys.all });
      void navigate(`/agents/${id}`);
    },
    onError: (error) => showFailure("The agent was not added", error),
  });
  return (
    <li className={classes.galleryRow}>
      <strong>{agent.name}</strong>
      <span className="ts-truncate ts-dimmed" title={agent.description}>
        {agent.description}
      </span>
      <ForWriters>
        <Button
          variant="default"
          leftSection={<IconPlus size={14} />}
          loading={add.isPending}
          aria-label={`Add ${agent.name}`}
          onClick={() => add.mutate()}
        >
          Add
        </Button>
      </ForWriters>
    </li>
  );
}
