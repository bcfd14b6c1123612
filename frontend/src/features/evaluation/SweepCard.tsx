/** The card of a finished sweep: what it was made from, by hashes, and a button to run it again. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconDownload, IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate } from "react-router";

import { describeError } from "@/api/client";
import { useCanWrite } from "@/api/session";
import { cardQuery, cardUrl, useStartFromCard } from "@/api/sweeps";
import type { SweepCard as Card } from "@/api/types";
import classes from "@/features/evaluation/evaluation.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";

const SHOWN_OF_A_HASH = 12;

export function SweepCard({ jobId }: { jobId: string }) {
  const { data: card, error } = useQuery(cardQuery(jobId));
  const canWrite = useCanWrite();
  const again = useStartFromCard();
  const navigate = useNavigate();
  const refusal = error ?? again.error;
  return (
    <section className="ts-stack ts-section" aria-label="Card">
      <div className={`ts-row ${classes.heading}`}>
        <h2>Card</h2>
        <div className="ts-row">
          {canWrite && card !== undefined && (
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={14} />}
              title="Starts the same sweep again; refused if anything on the card has changed"
              loading={again.isPending}
              onClick={() =>
                again.mutate(card, { onSuccess: ({ id }) => void navigate(`/evaluation/${id}`) })
              }
            >
              Run again from card
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconDownload size={14} />}
            component="a"
            href={cardUrl(jobId)}
            download={`${jobId}.card.json`}
          >
            Download card
          </Button>
        </div>
      </div>
      {refusal !== null && <p role="alert">{describeError(refusal)}</p>}
      {card !== undefined && <Contents card={card} />}
    </section>
  );
}

function Contents({ card }: { card: Card }) {
  return (
    <table className={classes.card}>
      <tbody>
        {listParts(card).map(({ what, name, digest }) => (
          <tr key={`${what} ${name}`}>
            <th scope="row">{what}</th>
            <td>{visibleText(name)}</td>
            <td className="ts-mono ts-dimmed" title={digest}>
              {digest.slice(0, SHOWN_OF_A_HASH)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface CardPart {
  what: string;
  name: string;
  digest: string;
}

/** Everything that has a hash; a model that several variants use is listed once. */
export function listParts(card: Card): CardPart[] {
  const models = new Map(
    card.variants
      .flatMap(({ pin }) => pin.models)
      .map(({ name, digest }) => [name, { what: "Model", name, digest }]),
  );
  const agents = new Map(
    card.variants.map(({ pin }) => [
      `${pin.agent} v${pin.version}`,
      { what: "Agent", name: `${pin.agent} v${pin.version}`, digest: pin.digest },
    ]),
  );
  const judge = card.judge ?? null;
  return [
    { what: "Card", name: `studio ${card.studio}`, digest: card.digest },
    ...agents.values(),
    ...models.values(),
    ...card.datasets.map(({ name, version, digest }) => ({
      what: "Dataset",
      name: `${name}@${version}`,
      digest,
    })),
    ...card.tasks.map(({ tape_ids: ids, digest }, group) => ({
      what: "Tasks",
      name: group === 0 ? countOf(ids.length, "task") : `${countOf(ids.length, "task")} added`,
      digest,
    })),
    ...(judge === null ? [] : [{ what: "Judge", name: judge.name, digest: judge.digest }]),
  ];
}
