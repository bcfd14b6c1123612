/** The outcome of a tape as a button: it says how the tape stands, and opens what may be said of it. */
import { Button, Menu } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCheck,
  IconChevronDown,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHourglass,
  IconLoader2,
  IconPlayerPause,
  type Icon,
} from "@tabler/icons-react";

import { OUTCOME_WORDS, VERDICTS, type Outcome, type Standing } from "@/lib/outcomes";
import { KeyHint } from "@/ui/KeyHint";
import classes from "@/ui/OutcomeButton.module.css";
import { OutcomeMark } from "@/ui/OutcomeMark";

const ICONS: Record<Standing, Icon> = {
  pass: IconCircleCheck,
  fail: IconCircleX,
  "": IconCircleDashed,
  error: IconAlertTriangle,
  running: IconLoader2,
  waiting: IconHourglass,
  paused: IconPlayerPause,
};
const WORDS: Record<Standing, string> = {
  ...OUTCOME_WORDS,
  error: "Error",
  running: "Running",
  waiting: "Waiting for you",
  paused: "Paused",
};
const HINTS: Partial<Record<Standing, string>> = {
  error: "Not judged; its last run ended with an error",
  running: "Its run has not finished",
  waiting: "Its agent waits for an answer: give it in the bar below",
  paused: "Its run is paused: continue it in the bar below",
};

interface OutcomeButtonProps {
  outcome: Outcome;
  /** How it stands, where that is more than the outcome. */
  standing?: Standing;
  /** Who may not write sees the same without a menu. */
  isReadOnly?: boolean;
  /** Who judged it so, in a sentence; empty: nobody told. */
  judgedBy?: string;
  onJudge: (outcome: Outcome) => void;
}

export function OutcomeButton(props: OutcomeButtonProps) {
  const { outcome, standing = outcome, isReadOnly = false, judgedBy = "", onJudge } = props;
  const Sign = ICONS[standing];
  return (
    <Menu position="bottom-start" width={200} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          className={classes.button}
          data-standing={standing}
          disabled={isReadOnly}
          aria-label={`Outcome: ${WORDS[standing]}`}
          title={HINTS[standing] ?? `${judgedBy} Judge: P passed, F failed, U not judged`.trim()}
          leftSection={<Sign size={15} stroke={2} aria-hidden="true" className={classes.sign} />}
          rightSection={
            isReadOnly ? undefined : <IconChevronDown size={12} stroke={2} aria-hidden="true" />
          }
        >
          {WORDS[standing]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Did it do its task?</Menu.Label>
        {judgedBy !== "" && <p className={`ts-hint ${classes.judged}`}>{judgedBy}</p>}
        {VERDICTS.map(({ outcome: said, keys }) => (
          <Menu.Item
            key={said}
            leftSection={<Check isOn={said === outcome} />}
            rightSection={<KeyHint keys={keys} />}
            onClick={() => onJudge(said)}
          >
            <OutcomeMark outcome={said} word={OUTCOME_WORDS[said]} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Check({ isOn }: { isOn: boolean }) {
  return isOn ? <IconCheck size={14} aria-label="Selected" /> : <span className={classes.space} />;
}
