/** An error: the message first, the traceback folded below. */
import { IconAlertTriangle } from "@tabler/icons-react";

import { countLines, visibleText } from "@/lib/visibleText";
import { countOf } from "@/lib/format";
import { MoreButton } from "@/ui/MoreButton";
import { useFold } from "@/ui/parts/folds";
import classes from "@/ui/parts/parts.module.css";
import { PlainText } from "@/ui/parts/PlainText";

export function ErrorText({ slot, text }: { slot: string; text: string }) {
  const { message, trace } = splitError(text);
  const [isOpen, toggle] = useFold(`${slot}/trace`);
  return (
    <div className={classes.error}>
      <IconAlertTriangle size={16} stroke={1.75} role="img" aria-label="Error" />
      <div className={classes.errorText}>
        <PlainText slot={slot} text={message} />
        {trace !== "" && (
          <>
            <MoreButton isOpen={isOpen} onClick={toggle}>
              {isOpen ? "Hide the traceback" : `Traceback, ${countOf(countLines(trace), "line")}`}
            </MoreButton>
            {isOpen && (
              <pre className={`ts-panel ts-words ${classes.trace}`}>{visibleText(trace)}</pre>
            )}
          </>
        )}
      </div>
    </div>
  );
}

const TRACEBACK = "Traceback (most recent call last):";
const LONGEST = 50_000;

/** Python prints the traceback before the message; people want it the other way round. */
export function splitError(text: string): { message: string; trace: string } {
  const start = text.indexOf(TRACEBACK);
  if (start < 0 || text.length > LONGEST) return { message: text, trace: "" };
  const lines = text.slice(start).trimEnd().split("\n");
  const last = lines.findLastIndex((line) => /^\S/.test(line));
  if (last <= 0) return { message: text, trace: "" };
  const before = text.slice(0, start).trim();
  const message = lines.slice(last).join("\n");
  return {
    message: before === "" ? message : `${before}\n${message}`,
    trace: lines.slice(0, last).join("\n"),
  };
}
