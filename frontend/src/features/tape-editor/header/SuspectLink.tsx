/** The suspected step as a link, and the key that leads to it. */
import { Anchor } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link, useLocation } from "react-router";

import classes from "@/features/tape-editor/header/header.module.css";
import { describeSuspect, type SuspectedStep } from "@/features/tape-editor/header/suspect";
import { useKeys } from "@/lib/keys";
import { changedAddress } from "@/lib/useAddress";

const KEY = "b";

interface SuspectLinkProps {
  suspected: SuspectedStep;
  onSelect: (step: number) => void;
}

export function SuspectLink({ suspected, onSelect }: SuspectLinkProps) {
  const { row, suspect } = suspected;
  const { pathname, search } = useLocation();
  const { index } = row;
  useKeys(
    "Tape",
    useMemo(
      () => [{ keys: KEY, label: "Go to the suspected step", run: () => onSelect(index) }],
      [index, onSelect],
    ),
  );
  const params = changedAddress(new URLSearchParams(search), { step: String(index), field: null });
  const words = describeSuspect(suspect, index);
  return (
    <Anchor
      component={Link}
      to={`${pathname}?${params.toString()}`}
      className={`ts-inline ${classes.suspect}`}
      data-why={suspect.why}
      data-tour="suspect"
      title={`${words} (${KEY})`}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        onSelect(index);
      }}
    >
      <IconAlertTriangle size={14} stroke={2} aria-hidden="true" />
      <span className="ts-truncate">{words}</span>
    </Anchor>
  );
}
