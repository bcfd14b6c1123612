/** A tape's outcome as a button: it shows the tape's state, and opens the possible outcomes. */
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
  /** The tape's state, where there is more to show than the outcome. */
  standing?: Standing;
  /** People who may not write see the same without a menu. */
  isReadOnly?: boolean;
  /** Who gave this outcome, as a sentence; empty if that is not known. */
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
        {VERDICTS.map(({ outcome: verdict, keys }) => (
          <Menu.Item
            key={verdict}
            leftSection={<Check isOn={verdict === outcome} />}
            rightSection={<KeyHint keys={keys} />}
            onClick={() => onJudge(verdict)}
          >
            <OutcomeMark outcome={verdict} word={OUTCOME_WORDS[verdict]} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Check({ isOn }: { isOn: boolean }) {
  return isOn ? <IconCheck size={14} aria-label="Selected" /> : <span className={classes.space} />;
}
