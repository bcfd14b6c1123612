import { IconCircle, IconCircleCheck, IconLoader2 } from "@tabler/icons-react";
import { useId, type ReactNode } from "react";

import classes from "@/features/training/guide/guide.module.css";

export type StepState = "later" | "next" | "going" | "done";

const ICONS = {
  later: IconCircle,
  next: IconCircle,
  going: IconLoader2,
  done: IconCircleCheck,
};
const WORDS: Record<StepState, string> = {
  later: "not yet",
  next: "next",
  going: "in progress",
  done: "done",
};

interface GuideStepProps {
  title: string;
  state: StepState;
  /** What happens in this step. */
  children: ReactNode;
  /** The button to press, or the result. */
  action?: ReactNode;
}

export function GuideStep({ title, state, children, action }: GuideStepProps) {
  const Icon = ICONS[state];
  const titleId = useId();
  return (
    <li
      className={classes.step}
      data-state={state}
      aria-labelledby={titleId}
      aria-current={state === "next" ? "step" : undefined}
    >
      <Icon size={18} stroke={1.75} aria-hidden="true" />
      <div className={classes.text}>
        <h3 id={titleId}>
          {title}
          <span className="ts-visually-hidden">, {WORDS[state]}</span>
        </h3>
        <p className="ts-dimmed">{children}</p>
      </div>
      <div className={`ts-row ${classes.action}`}>{action}</div>
    </li>
  );
}
