/** A person's access tokens: created for a script, shown once, revoked when no longer needed. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useMemo, useState } from "react";

import { describeError } from "@/api/client";
import { tokensQuery, useRevokeToken } from "@/api/tokens";
import type { Token } from "@/api/types";
import { NewToken } from "@/features/tokens/NewToken";
import classes from "@/features/tokens/tokens.module.css";
import { countOf } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { DataTable } from "@/ui/DataTable";
import { PageHeader } from "@/ui/PageHeader";
import { RelativeTime } from "@/ui/Quantities";
import { EmptyState, ErrorState, RowsSkeleton, StaleNotice } from "@/ui/States";
import type { Column } from "@/ui/tableColumns";

export function TokensPage() {
  const tokens = useQuery(tokensQuery());
  const [isMaking, setIsMaking] = useState(false);
  const make = () => setIsMaking(true);
  return (
    <>
      <PageHeader
        title="Access tokens"
        guide="http"
        note={tokens.data && countOf(tokens.data.length, "token")}
      >
        <Button leftSection={<IconPlus size={14} />} onClick={make}>
          New token
        </Button>
      </PageHeader>
      <Tokens query={tokens} onMake={make} />
      <NewToken isOpen={isMaking} onClose={() => setIsMaking(false)} />
    </>
  );
}

interface TokensProps {
  query: ReturnType<typeof useQuery<Token[]>>;
  onMake: () => void;
}

function Tokens({ query, onMake }: TokensProps) {
  const { mutate: revoke, error } = useRevokeToken();
  const columns = useMemo(() => [...COLUMNS, revokeColumn(revoke)], [revoke]);
  const retry = () => void query.refetch();
  if (query.isPending) return <RowsSkeleton label="Loading access tokens" rows={3} />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title="The access tokens could not be loaded"
        message={describeError(query.error)}
        onRetry={retry}
      />
    );
  }
  if (query.data.length === 0) {
    return (
      <EmptyState
        title="No access tokens yet"
        icon={<IconKey size={24} stroke={1.5} />}
        action={<Button onClick={onMake}>New token</Button>}
      >
        A script signs in with an access token. It acts in your name, in this project only, and can
        read, or read and write.
      </EmptyState>
    );
  }
  return (
    <>
      {query.isError && <StaleNotice message={describeError(query.error)} onRetry={retry} />}
      {error !== null && (
        <p role="alert" className={classes.note}>
          {describeError(error)}
        </p>
      )}
      <p className={`ts-hint ${classes.note}`}>
        Send a token with each request: <code>Authorization: Bearer TOKEN</code>. It acts in your
        name, in this project only.
      </p>
      <DataTable label="Access tokens" columns={columns} rows={query.data} rowId={({ id }) => id} />
    </>
  );
}

const COLUMNS: Column<Token>[] = [
  { id: "name", header: "Token", cell: ({ name }) => visibleText(name) },
  {
    id: "access",
    header: "Access",
    width: "112px",
    hideLevel: 2,
    cell: ({ access }) => (access === "write" ? "Read and write" : "Read only"),
  },
  {
    id: "hint",
    header: "Prefix",
    width: "112px",
    hideLevel: 1,
    cell: ({ hint }) => <span className="ts-mono">{hint}…</span>,
  },
  {
    id: "created",
    header: "Created",
    width: "96px",
    align: "end",
    hideLevel: 1,
    cell: ({ created_at: moment }) => <RelativeTime value={moment} />,
  },
  {
    id: "used",
    header: "Last used",
    width: "104px",
    align: "end",
    hideLevel: 2,
    cell: ({ last_used_at: moment }) =>
      moment === null ? <span className="ts-dimmed">Never</span> : <RelativeTime value={moment} />,
  },
  {
    id: "expires",
    header: "Expires",
    width: "104px",
    align: "end",
    cell: ({ expires_at: moment }) => <Expiry moment={moment} />,
  },
];

function Expiry({ moment }: { moment: string | null }) {
  if (moment === null) return <span className="ts-dimmed">Never</span>;
  const when = new Date(moment);
  if (when < new Date()) return <span className={classes.expired}>Expired</span>;
  return (
    <time dateTime={moment} title={when.toLocaleString()} className="ts-number">
      {when.toLocaleDateString()}
    </time>
  );
}

const revokeColumn = (onRevoke: (id: string) => void): Column<Token> => ({
  id: "revoke",
  header: <span className="ts-visually-hidden">Revoke</span>,
  width: "96px",
  align: "end",
  cell: ({ id, name }) => (
    <ConfirmButton
      size="compact-xs"
      question={`Revoke ${visibleText(name)}? Scripts that use it are refused from now on.`}
      confirm="Revoke"
      onConfirm={() => onRevoke(id)}
      aria-label={`Revoke ${visibleText(name)}`}
    >
      Revoke
    </ConfirmButton>
  ),
});
