/** The forms of a rule, with an example of each; a click inserts it. */
import classes from "@/features/lint/lint.module.css";

const EXAMPLES = [
  { text: "never kind == 'tool' && is_error", meaning: "no tool result is an error" },
  { text: "always family != 'action' || node", meaning: "every action has a node" },
  {
    text: "kind == 'user' before kind == 'assistant'",
    meaning: "a user message comes before the first answer",
  },
  {
    text: "kind == 'tool' within 2 steps of tool_calls",
    meaning: "each call has its result nearby",
  },
];

export function RuleHelp({ onPick }: { onPick: (text: string) => void }) {
  return (
    <div className={`ts-hint ${classes.help}`}>
      <p className={classes.helpText}>
        One of four forms. A condition compares any field of a step, or <code>kind</code>,{" "}
        <code>family</code>, <code>agent</code>, <code>node</code>, <code>position</code> and{" "}
        <code>is_error</code>: with <code>==</code> <code>!=</code> <code>&lt;</code>{" "}
        <code>&gt;</code>, joined by <code>&amp;&amp;</code> <code>||</code> <code>!</code>, and
        with <code>contains(content, &apos;words&apos;)</code>.
      </p>
      <ul className={classes.examples}>
        {EXAMPLES.map(({ text, meaning }) => (
          <li key={text}>
            <button
              type="button"
              className={`ts-column ${classes.example}`}
              onClick={() => onPick(text)}
            >
              <code>{text}</code>
              <span>{meaning}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
