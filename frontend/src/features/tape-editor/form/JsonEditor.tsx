/** A value as JSON text, with its errors marked; loaded when it is first needed. */
import { json } from "@codemirror/lang-json";
import { forceLinting, linter, lintGutter } from "@codemirror/lint";
import { StateEffect } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { Button } from "@mantine/core";
import { EditorView, basicSetup } from "codemirror";
import { useEffect, useRef, useState } from "react";

import { useProblems } from "@/features/tape-editor/form/formContext";
import classes from "@/features/tape-editor/form/form.module.css";
import { marksOf } from "@/features/tape-editor/form/jsonMarks";
import { keepJson, keptJson } from "@/features/tape-editor/form/keptJson";
import { isSameJson } from "@/lib/json";
import { prettyJson } from "@/lib/valueShapes";
import { visibleText } from "@/lib/visibleText";

const problemsChanged = StateEffect.define();

interface JsonEditorProps {
  label: string;
  value: unknown;
  /** Next to other fields: no line numbers, and no focus on opening. */
  isSmall?: boolean;
  /** The key under which unreadable text is kept when the editor closes. */
  place?: string;
  /** Why a readable value is refused; empty if it is not. */
  check?: (value: unknown) => string;
  /** Called with each value that is readable and not refused; `undefined` for empty text. */
  onChange: (value: unknown) => void;
}

export function JsonEditor({
  label,
  value,
  isSmall,
  place: name,
  check,
  onChange,
}: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const problems = useProblems();
  const latest = useRef({ value, problems, check, onChange });
  const [start] = useState(() => {
    const kept = name === undefined ? undefined : keptJson(name);
    return { text: kept ?? prettyJson(value), isSmall, label, name };
  });
  const [problem, setProblem] = useState(() => readJson(start.text, check).problem);

  useEffect(() => {
    const view = editor.current;
    const before = latest.current;
    latest.current = { value: before.value, problems, check, onChange };
    if (view === null) return;
    if (problems !== before.problems) view.dispatch({ effects: problemsChanged.of(null) });
    // A value from elsewhere, such as undo or reset, replaces what was typed.
    if (isSameJson(value, before.value)) return;
    latest.current.value = value;
    replaceText(view, prettyJson(value));
  }, [value, problems, check, onChange]);

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const listen = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return;
      const read = readJson(state.doc.toString(), latest.current.check);
      setProblem(read.problem);
      if (start.name !== undefined)
        keepJson(start.name, read.problem === "" ? null : state.doc.toString());
      if (read.problem !== "" || isSameJson(read.value, latest.current.value)) return;
      latest.current.value = read.value;
      latest.current.onChange(read.value);
    });
    const view = new EditorView({
      parent,
      doc: start.text,
      extensions: [
        keymap.of([{ key: "Shift-Alt-f", run: format }]),
        basicSetup,
        json(),
        linter((linted) => marksOf(linted, latest.current.problems), {
          delay: 200,
          needsRefresh: ({ transactions }) =>
            transactions.some(({ effects }) => effects.some((one) => one.is(problemsChanged))),
        }),
        start.isSmall === true ? [] : lintGutter(),
        EditorView.lineWrapping,
        look,
        EditorView.contentAttributes.of({ "aria-label": start.label }),
        listen,
      ],
    });
    editor.current = view;
    if (start.isSmall !== true) view.focus();
    return () => view.destroy();
  }, [start]);

  return (
    <div>
      <div
        ref={place}
        className={classes.raw}
        data-small={isSmall || undefined}
        data-invalid={problem !== "" || undefined}
      />
      <div className={`ts-row ${classes.rawFoot}`}>
        <p className={classes.problem} role="alert">
          {visibleText(problem)}
        </p>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          title="Format (Shift Alt F)"
          onClick={() => editor.current !== null && format(editor.current)}
        >
          Format
        </Button>
      </div>
    </div>
  );
}

function readJson(text: string, check: ((value: unknown) => string) | undefined) {
  let value: unknown;
  if (text.trim() !== "") {
    try {
      value = JSON.parse(text);
    } catch (error) {
      return { value, problem: error instanceof Error ? error.message : "This is not JSON." };
    }
  }
  return { value, problem: check?.(value) ?? "" };
}

function format(view: EditorView): boolean {
  const text = view.state.doc.toString();
  try {
    replaceText(view, prettyJson(JSON.parse(text)));
  } catch {
    forceLinting(view);
  }
  return true;
}

function replaceText(view: EditorView, text: string): void {
  const { doc, selection } = view.state;
  if (doc.toString() === text) return;
  const head = Math.min(selection.main.head, text.length);
  view.dispatch({
    changes: { from: 0, to: doc.length, insert: text },
    selection: { anchor: head },
  });
}

const look = EditorView.theme({
  "&": { fontSize: "12px", maxHeight: "480px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mantine-font-family-monospace)", overflow: "auto" },
  ".cm-gutters": {
    background: "var(--ts-surface-2)",
    color: "var(--mantine-color-dimmed)",
    border: "0",
  },
  ".cm-activeLine, .cm-activeLineGutter": { background: "var(--ts-surface-3)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--ts-accent-tint) !important",
  },
  ".cm-tooltip": {
    background: "var(--ts-surface-2)",
    color: "var(--mantine-color-text)",
    border: "1px solid var(--ts-line-strong)",
  },
});
