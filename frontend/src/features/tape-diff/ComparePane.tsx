/** Another tape next to the one that is open in the editor. */
import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconX } from "@tabler/icons-react";
import { useMemo } from "react";
import { Link, useSearchParams } from "react-router";

import { Comparison } from "@/features/tape-diff/Comparison";
import classes from "@/features/tape-diff/diff.module.css";
import { StepAddressProvider, type StepAddress } from "@/features/tape-diff/stepAddress";
import { changedAddress, type AddressPart } from "@/lib/useAddress";

export interface ComparePaneProps {
  /** The open tape; shown on the right. */
  tapeId: string;
  otherId: string;
  /** A notice above the steps; empty for none. */
  notice: string;
}

export function ComparePane({ tapeId, otherId, notice }: ComparePaneProps) {
  const [params] = useSearchParams();
  const search = params.toString();
  const { swapped, alone, stepAddress } = useMemo(
    () => addressesOf(tapeId, otherId, search),
    [tapeId, otherId, search],
  );
  return (
    <StepAddressProvider value={stepAddress}>
      <section className={classes.pane} aria-label="Compared tapes">
        <Comparison
          leftId={otherId}
          rightId={tapeId}
          swapped={swapped}
          head={(note, buttons) => (
            <>
              <header className={`ts-row ${classes.paneHead}`}>
                <h2>Compared</h2>
                <span className={classes.dim}>{note}</span>
                <div className={`ts-row ${classes.paneButtons}`}>
                  {buttons}
                  <Tooltip label="Compare full screen">
                    <ActionIcon
                      component={Link}
                      to={`/t/${otherId}/diff/${tapeId}`}
                      aria-label="Compare full screen"
                    >
                      <IconMaximize size={16} stroke={1.75} />
                    </ActionIcon>
                  </Tooltip>
                  <Tooltip label="Stop comparing (Esc)">
                    <ActionIcon component={Link} to={alone} aria-label="Stop comparing">
                      <IconX size={16} stroke={1.75} />
                    </ActionIcon>
                  </Tooltip>
                </div>
              </header>
              {notice !== "" && <p className={classes.notice}>{notice}</p>}
            </>
          )}
        />
      </section>
    </StepAddressProvider>
  );
}

/** The editor's other query parameters, such as the inspector's tab, are kept. */
function addressesOf(tapeId: string, otherId: string, search: string) {
  const address = (open: string, part: AddressPart) => {
    const query = changedAddress(new URLSearchParams(search), {
      change: null,
      field: null,
      ...part,
    });
    return query.size === 0 ? `/t/${open}` : `/t/${open}?${query.toString()}`;
  };
  const stepAddress: StepAddress = (open, position) =>
    address(open, {
      cmp: open === tapeId ? otherId : tapeId,
      step: String(position),
      change: new URLSearchParams(search).get("change"),
    });
  return {
    swapped: address(otherId, { cmp: tapeId, step: null }),
    alone: address(tapeId, { cmp: null }),
    stepAddress,
  };
}
