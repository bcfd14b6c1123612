/** Everything that can be done with a tape as a whole, with names and keys. */
import { ActionIcon, Loader, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight, IconDots } from "@tabler/icons-react";
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from "react";

import { CompareSearch } from "@/features/tape-editor/compare";
import { useTapeModel } from "@/features/tape-editor/editor";
import { useIsTapeEdited } from "@/features/tape-editor/form";
import { CompareItems } from "@/features/tape-editor/header/CompareItems";
import { DatasetChoice } from "@/features/tape-editor/datasets";
import classes from "@/features/tape-editor/header/header.module.css";
import { useReplayCheck } from "@/features/tape-editor/header/ReplayCheck";
import { TapeDetails } from "@/features/tape-editor/header/TapeDetails";
import { TrainingChoices } from "@/features/tape-editor/header/TrainingChoices";
import {
  MENU_KEYS,
  useTapeActions,
  type TapeAction,
} from "@/features/tape-editor/header/tapeActions";
import { ImproveDialog } from "@/features/tape-editor/improving";
import { useTapeMoves } from "@/features/tape-editor/map";
import { useTestDialog } from "@/features/tape-editor/regression";
import { ShareItems } from "@/features/tape-editor/share";
import { useKeys, useKeysAhead } from "@/lib/keys";
import { KeyHint } from "@/ui/KeyHint";

/** The items of the menu, or the submenu that one of them opens. */
export type MenuView = "closed" | "all" | "compare" | "share" | "training";

const TITLES = { compare: "Compare", share: "Share", training: "Training" };

interface TapeMenuProps {
  view: MenuView;
  onView: (view: MenuView) => void;
}

export function TapeMenu({ view, onView }: TapeMenuProps) {
  const { tape } = useTapeModel();
  const { compare } = useTapeMoves(tape.id);
  const [isSearching, search] = useDisclosure();
  const [hasDetails, details] = useDisclosure();
  const [isImproving, improving] = useDisclosure();
  const datasets = useRef<HTMLButtonElement>(null);
  const replay = useReplayCheck();
  const { open: openTest } = useTestDialog();
  const actions = useTapeActions({
    onView,
    onDetails: details.open,
    onReplay: replay.run,
    // Wait until the menu has closed, or it would take the focus from the list.
    onTest: useCallback(() => openTest(null), [openTest]),
    onImprove: improving.open,
    onDatasets: useCallback(() => requestAnimationFrame(() => datasets.current?.click()), []),
  });
  const isEdited = useIsTapeEdited();
  useMenuKeys(actions, onView);
  return (
    <>
      <CompareSearch
        isOpen={isSearching}
        onClose={search.close}
        onChoose={(tapeId) => compare(tape.id, tapeId)}
      />
      <TapeDetails isOpen={hasDetails} onClose={details.close} />
      <ImproveDialog isOpen={isImproving} onClose={improving.close} />
      {replay.dialog}
      <span className={classes.menu}>
        <Menu
          opened={view !== "closed"}
          onChange={(isOpen) => onView(isOpen ? "all" : "closed")}
          position="bottom-end"
          width={270}
          withinPortal
          returnFocus
        >
          <Menu.Target>
            <ActionIcon
              variant="default"
              size={30}
              aria-label="More for this tape"
              title={isEdited ? "More (m); its details are changed" : "More (m)"}
              data-edited={isEdited || undefined}
            >
              {replay.isBusy ? <Loader size={14} /> : <IconDots size={16} aria-hidden="true" />}
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {view === "all" && actions.map((action) => <Line key={action.keys} {...action} />)}
            {view !== "all" && view !== "closed" && (
              <Section title={TITLES[view]} onBack={() => onView("all")}>
                {view === "compare" && <CompareItems onSearch={search.open} />}
                {view === "share" && <ShareItems />}
                {view === "training" && <TrainingChoices />}
              </Section>
            )}
          </Menu.Dropdown>
        </Menu>
        <DatasetChoice opener={datasets} />
      </span>
    </>
  );
}

/** Reserves the space of the menu, and its keys, until it is drawn. */
export function MenuPlace() {
  useKeysAhead("Tape", KEYS_AHEAD);
  return <span className={classes.menuPlace} />;
}

const OPEN_KEY = { keys: "m", label: "Open the menu of the tape", isMove: true };
const KEYS_AHEAD = [OPEN_KEY, ...MENU_KEYS.map((keys) => ({ keys, label: "", isMove: true }))];

function useMenuKeys(actions: readonly TapeAction[], onView: (view: MenuView) => void): void {
  const bindings = useMemo(() => {
    return [
      { ...OPEN_KEY, run: () => onView("all") },
      ...actions.filter(({ isOff }) => isOff === undefined || isOff === false),
    ];
  }, [actions, onView]);
  // The menu mounts last, and a comparison binds `p` itself.
  useKeys("Tape", bindings, { isBehind: true });
}

function Line({ keys, word, label, icon: Drawn, run, isOff = false, leadsOn = false }: TapeAction) {
  return (
    <Menu.Item
      leftSection={<Drawn size={15} stroke={1.75} />}
      rightSection={
        <span className="ts-inline">
          <KeyHint keys={keys} />
          {leadsOn && <IconChevronRight size={14} aria-hidden="true" />}
        </span>
      }
      title={isOff === false ? label : isOff}
      disabled={isOff !== false}
      closeMenuOnClick={!leadsOn}
      onClick={run}
    >
      {word}
    </Menu.Item>
  );
}

interface SectionProps {
  title: string;
  onBack: () => void;
  children: ReactNode;
}

/** A submenu, in place of the menu's items. */
function Section({ title, onBack, children }: SectionProps) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The chosen item is gone, and the focus with it.
    const frame = requestAnimationFrame(() => back.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <Menu.Item
        ref={back}
        leftSection={<IconChevronLeft size={15} />}
        closeMenuOnClick={false}
        onClick={onBack}
      >
        {title}
      </Menu.Item>
      <Menu.Divider />
      {children}
    </>
  );
}
