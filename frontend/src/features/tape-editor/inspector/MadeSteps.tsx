import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { familyOf, kindOf, useActions, useTapeModel } from "@/features/tape-editor/editor";
import { visibleText } from "@/lib/visibleText";
import { FamilyIcon } from "@/ui/StepKindBadge";

/** Links to the steps that a piece of an answer became. `positions` are as recorded. */
export function MadeSteps({ positions }: { positions: readonly number[] }) {
  const { slots, steps } = useTapeModel();
  const { select } = useActions();
  if (positions.length === 0) return <p className={`ts-hint ${classes.noStep}`}>No step</p>;
  return (
    <ul>
      {positions.map((position) => {
        const index = slots.findIndex(({ origin }) => origin === position);
        const row = index < 0 ? undefined : steps.at(index);
        if (row === undefined) {
          return (
            <li key={position} className={`ts-hint ${classes.noStep}`}>
              Step {position}, deleted in this draft
            </li>
          );
        }
        return (
          <li key={position}>
            <button
              type="button"
              className={`ts-row ts-panel ${classes.madeStep}`}
              onClick={() => select(index)}
            >
              <FamilyIcon family={familyOf(row)} size={14} />
              <span className={`ts-truncate ts-mono ${classes.madeKind}`}>
                {visibleText(kindOf(row))}
              </span>
              <span className={`ts-hint ${classes.madeNumber}`}>{index}</span>
              <span className={`ts-truncate ts-hint ${classes.madeSummary}`}>
                {visibleText(row.recorded?.gist ?? "")}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
