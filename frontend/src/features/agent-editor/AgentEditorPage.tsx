/** The agent at the left, an open tape of it at the right: what one reads there is changed here. */
import { Anchor } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link, useParams } from "react-router";

import {
  type AgentDraft,
  draftQuery,
  loadDraft,
  type NodeType,
  nodeTypesQuery,
  putDraft,
  redoDraft,
  undoDraft,
} from "@/api/agentDrafts";
import { agentQuery } from "@/api/agents";
import { allOf } from "@/api/needed";
import { useCanWrite } from "@/api/session";
import type { AgentDetail } from "@/api/types";
import { AddNode } from "@/features/agent-editor/agent/AddNode";
import { AgentForm } from "@/features/agent-editor/agent/AgentForm";
import { NodeForm } from "@/features/agent-editor/agent/NodeForm";
import { NodeMap } from "@/features/agent-editor/agent/NodeMap";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { BottomBar } from "@/features/agent-editor/BottomBar";
import { DraftChip, SaveNotice } from "@/features/agent-editor/DraftChip";
import { openDraftEditor } from "@/features/agent-editor/draft/draftEditor";
import { isNodePath, isPlace } from "@/features/agent-editor/draft/specPlaces";
import {
  AgentEditorProvider,
  EDITED_VERSION,
  useAgentEditor,
  useEdited,
} from "@/features/agent-editor/editorContext";
import { focusField } from "@/features/agent-editor/focusField";
import { TapeSide } from "@/features/agent-editor/tape/TapeSide";
import { useAddress } from "@/lib/useAddress";
import { visibleText } from "@/lib/visibleText";
import { OwnFold } from "@/ui/fields/OwnFold";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState, RowsSkeleton } from "@/ui/States";

export function AgentEditorPage() {
  const { agentId = "" } = useParams();
  const canWrite = useCanWrite();
  const needed = allOf({
    agent: useQuery(agentQuery(agentId)),
    draft: useQuery({ ...draftQuery(agentId), enabled: canWrite }),
    nodeTypes: useQuery(nodeTypesQuery()),
  });
  if (!canWrite) {
    return (
      <>
        <PageHeader title="Edit agent" />
        <EmptyState title="You can only view this project" icon={<IconLock size={24} />}>
          <Anchor component={Link} to={`/agents/${agentId}`}>
            Open the agent
          </Anchor>{" "}
          to read it, or ask an owner to make you a member.
        </EmptyState>
      </>
    );
  }
  if (needed.data !== undefined) return <OpenEditor key={agentId} {...needed.data} />;
  return (
    <>
      <PageHeader title="Edit agent" />
      {needed.problem === null ? (
        <RowsSkeleton label="Loading the agent" rows={10} />
      ) : (
        <ErrorState
          title="The agent could not be loaded"
          message={needed.problem}
          onRetry={needed.retry}
        />
      )}
    </>
  );
}

const FIRST_NODE = "/nodes/0";

interface OpenEditorProps {
  agent: AgentDetail;
  draft: AgentDraft;
  nodeTypes: readonly NodeType[];
}

function OpenEditor({ agent, draft, nodeTypes }: OpenEditorProps) {
  const [address, changeAddress] = useAddress();
  const left = useRef<HTMLDivElement>(null);
  const [editor] = useState(() =>
    openDraftEditor(draft, {
      load: () => loadDraft(agent.id),
      put: (spec, revision) => putDraft(agent.id, spec, revision),
      undo: (revision) => undoDraft(agent.id, revision),
      redo: (revision) => redoDraft(agent.id, revision),
    }),
  );
  useEffect(
    () => () => {
      // What was typed last is saved even if the person leaves at once.
      void editor.flush().finally(editor.stop);
    },
    [editor],
  );
  useWindowEvent("beforeunload", (event) => {
    if (editor.store.getState().save !== "saved") event.preventDefault();
  });
  const asked = address.get("node");
  const select = useCallback(
    (path: string, field?: string) => {
      changeAddress({ node: path === "" ? "/" : path }, { replace: true });
      if (field !== undefined) focusField(left.current, field);
    },
    [changeAddress],
  );
  const selected = asked === "/" ? "" : (asked ?? FIRST_NODE);
  // Who types before the steps have loaded stays there: the node of a step comes later. The list of
  // nodes has the focus by itself, so that says nothing.
  const stay = ({ target }: FocusEvent) => {
    if (asked === null && target.matches("input, textarea")) {
      changeAddress({ node: FIRST_NODE }, { replace: true });
    }
  };
  const state = useMemo(
    () => ({ agent, nodeTypes, editor, selected, select }),
    [agent, nodeTypes, editor, selected, select],
  );
  return (
    <AgentEditorProvider value={state}>
      <div className={`ts-column ${classes.page}`}>
        <Header />
        <SaveNotice />
        <div className={classes.columns}>
          <div ref={left} className={classes.left} onFocus={stay}>
            <BaseNote />
            <NodeMap />
            <AddNode />
            <SelectedForm />
          </div>
          <div className={classes.right}>
            <TapeSide />
          </div>
        </div>
        <BottomBar />
      </div>
    </AgentEditorProvider>
  );
}

function Header() {
  const { agent } = useAgentEditor();
  const base = useEdited(({ stored }) => stored.base);
  return (
    <PageHeader
      title={`Edit ${visibleText(agent.name)}`}
      note={
        <span className="ts-row">
          <span id={EDITED_VERSION} tabIndex={-1} className="ts-number">
            v{base.number}
            {base.number === agent.published_version && " published"}
          </span>
          <DraftChip />
        </span>
      }
    >
      <Anchor component={Link} to={`/agents/${agent.id}`}>
        Versions
      </Anchor>
    </PageHeader>
  );
}

/** What is to be known of the version that the draft began with, if that takes more than a line. */
function BaseNote() {
  const { agent } = useAgentEditor();
  const base = useEdited(({ stored }) => stored.base);
  const note = agent.versions.find(({ id }) => id === base.version_id)?.note ?? "";
  if (!note.includes("\n")) return null;
  return (
    <details open className={classes.baseNote}>
      <summary className="ts-row ts-fold">Note of v{base.number}</summary>
      <OwnFold text={note} />
    </details>
  );
}

/** The form of what is selected; a place that was removed shows its agent. */
function SelectedForm() {
  const { selected } = useAgentEditor();
  const isThere = useEdited(({ spec }) => isPlace(spec, selected));
  if (isThere && isNodePath(selected)) return <NodeForm key={selected} path={selected} />;
  const path = isThere ? selected : "";
  return <AgentForm key={path} path={path} />;
}
