/** The keys of the tape page. The run bar, Run N and the inspector's notes bind their own. */
import { useMemo, type RefObject } from "react";
import { useNavigate } from "react-router";

import { useCanWrite } from "@/api/session";
import {
  agentAddress,
  type EditorActions,
  type Selection,
  type StepRow,
  type TapeModel,
  useEditorApi,
} from "@/features/tape-editor/editor";
import {
  type Family,
  type Fork,
  type Lines,
  neighbourOf,
  useFamily,
  useTapeMoves,
  nextStep,
} from "@/features/tape-editor/map";
import { useCommands, type Command } from "@/lib/commands";
import { useKeys, type KeyBinding } from "@/lib/keys";

interface KeysOptions {
  model: TapeModel;
  selection: Selection;
  actions: EditorActions;
  findField: RefObject<HTMLInputElement | null>;
  /** Steps that j and k move through: those that a search found. */
  found: Lines;
  isFinding: boolean;
  /** Another view replaces the panes: keys for what is not visible do nothing. */
  isCovered: boolean;
  /** Called before the find field gets the focus: where panes are stacked, it comes forward. */
  onFind: () => void;
  onInspect: () => void;
  /** Called before a card is edited: where panes are stacked, it comes to the front. */
  onEdit: () => void;
  onLeaveFind: () => void;
}

export function useEditorKeys(options: KeysOptions): void {
  const steps = useStepKeys(options);
  const inspector = useInspectorKeys(options);
  useKeys("Steps", options.isCovered ? NO_KEYS : steps);
  useKeys("Tape", useTapeKeys(options));
  useKeys("Branches", useBranchKeys(options));
  useKeys("Inspector", options.isCovered ? NO_KEYS : inspector);
  useStepJump(options);
}

const NO_KEYS: readonly KeyBinding[] = [];

function useStepKeys({ model, selection, actions, found, isFinding, onEdit }: KeysOptions) {
  const { step, select } = selection;
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  return useMemo((): KeyBinding[] => {
    const chosen = step === null ? undefined : model.steps.at(step);
    const onChosen = (run: (row: StepRow) => void) => () => {
      if (chosen !== undefined) run(chosen);
    };
    const onEditable = (run: (row: StepRow) => void) => () => {
      if (chosen === undefined || !model.canEdit) return;
      run(chosen);
      onEdit();
    };
    const move = (by: 1 | -1) => () => {
      const next = nextStep(found, step, by);
      if (next !== null) select(next);
    };
    const editAgent = (row: StepRow) => {
      const address = canWrite ? agentAddress(model.tape, row.slot.origin) : null;
      if (address !== null) void navigate(address);
    };
    const shift = (by: 1 | -1) => (row: StepRow) => actions.move(row.index, row.index + by);
    const hits: KeyBinding[] = isFinding
      ? [
          { keys: "n", label: "Next hit", run: move(1), isMove: true },
          { keys: "N", label: "Previous hit", run: move(-1), isMove: true },
        ]
      : [];
    return [
      { keys: "j", label: "Next step", run: move(1), isMove: true },
      { keys: "k", label: "Previous step", run: move(-1), isMove: true },
      ...hits,
      { keys: "e", label: "Edit the step", run: onEditable(actions.edit) },
      { keys: "f", label: "Fork at the step", run: onEditable(actions.fork) },
      { keys: "a", label: "Edit the agent here", run: onChosen(editAgent) },
      { keys: "alt+ArrowUp", label: "Move the step up", run: onEditable(shift(-1)) },
      { keys: "alt+ArrowDown", label: "Move the step down", run: onEditable(shift(1)) },
      { keys: "r", label: "Raw JSON of the step", run: onChosen(actions.toggleRaw) },
      { keys: "y", label: "Copy the link to the step", run: onChosen(actions.copyLink) },
    ];
  }, [model, step, select, actions, found, isFinding, onEdit, navigate, canWrite]);
}

function useTapeKeys(options: KeysOptions) {
  const { findField, selection, onFind, onLeaveFind } = options;
  const { compared, compareWith } = selection;
  const store = useEditorApi();
  return useMemo((): KeyBinding[] => {
    const { dispatch } = store.getState();
    const leave = () => {
      const { activeElement } = document;
      if (activeElement === findField.current && activeElement instanceof HTMLElement) {
        onLeaveFind();
        activeElement.blur();
      } else if (store.getState().editing !== null) dispatch({ type: "form.closed" });
      else if (isField(activeElement)) activeElement.blur();
      else if (compared !== null) compareWith(null);
      else if (activeElement instanceof HTMLElement) activeElement.blur();
    };
    return [
      {
        keys: "/",
        label: "Find in tape",
        run: () => {
          onFind();
          // Immediately, as the next key belongs to it; where panes are stacked it is drawn only
          // now.
          if (findField.current !== null) findField.current.focus();
          else requestAnimationFrame(() => findField.current?.focus());
        },
      },
      { keys: "mod+z", label: "Undo", run: () => dispatch({ type: "draft.undone" }) },
      { keys: "mod+shift+z", label: "Redo", run: () => dispatch({ type: "draft.redone" }) },
      {
        keys: "Escape",
        label: "Close what is open",
        run: leave,
        isMove: true,
        whileTyping: true,
      },
    ];
  }, [findField, compared, compareWith, onFind, onLeaveFind, store]);
}

function useBranchKeys({ model, selection }: KeysOptions) {
  const family = useFamily();
  const { go } = useTapeMoves(model.tape.id);
  const navigate = useNavigate();
  const { id, parent_id: parent } = model.tape;
  const { step } = selection;
  return useMemo((): KeyBinding[] => {
    const toTape = (by: 1 | -1) => () => {
      const next = neighbourOf(family.lines, id, by);
      if (next !== null) go(next);
    };
    const toSibling = () => {
      const fork = nearestFork(family, step);
      const next = fork?.tapes[(fork.current + 1) % fork.tapes.length];
      if (fork !== undefined && next !== undefined) go(next.id, fork.position);
    };
    return [
      { keys: "J", label: "Next tape of the family", run: toTape(1), isMove: true },
      { keys: "K", label: "Previous tape of the family", run: toTape(-1), isMove: true },
      { keys: "s", label: "Go to the sibling at the fork", run: toSibling },
      {
        keys: "d",
        label: "Diff with parent",
        run: () => {
          if (parent !== null) void navigate(`/t/${parent}/diff/${id}`);
        },
      },
    ];
  }, [family, go, navigate, id, parent, step]);
}

function useInspectorKeys({ selection, onInspect }: KeysOptions) {
  const { showTab, tabs } = selection;
  return useMemo(
    (): KeyBinding[] => [
      { keys: "Enter", label: "Inspect the step", run: onInspect },
      ...tabs.map((tab, at) => ({
        keys: String(at + 1),
        label: `Show ${tab}`,
        run: () => {
          showTab(tab);
          onInspect();
        },
      })),
    ],
    [showTab, tabs, onInspect],
  );
}

/** A number typed into the palette goes to the step with that number. */
function useStepJump({ model, selection, onEdit }: KeysOptions): void {
  const { select } = selection;
  const count = model.slots.length;
  const source = useMemo(
    () =>
      (typed: string): Command[] => {
        const wanted = /^(?:step )?(\d{1,9})$/i.exec(typed.trim())?.[1];
        if (wanted === undefined || count === 0) return [];
        const step = Math.min(Number(wanted), count - 1);
        const run = () => {
          select(step);
          onEdit();
        };
        return [{ label: `Go to step ${step}`, description: typed, run }];
      },
    [count, select, onEdit],
  );
  useCommands("Tape", source);
}

/** The fork at the chosen step, or the last one before it, or the first of all. */
export function nearestFork(
  { forks }: Pick<Family, "forks">,
  step: number | null,
): Fork | undefined {
  const places = [...forks.keys()].sort((one, other) => one - other);
  const before = places.findLast((place) => step !== null && place <= step);
  return forks.get(before ?? places.at(-1) ?? -1);
}

function isField(element: Element | null): element is HTMLElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
