import { splitPlace } from "@/features/agent-editor/draft/specPlaces";
import { useEdited } from "@/features/agent-editor/editorContext";
import classes from "@/features/agent-editor/agentEditor.module.css";
import { visibleText } from "@/lib/visibleText";

/** What is wrong with a node or an agent, above its form. */
export function PlaceProblems({ path }: { path: string }) {
  const problems = useEdited(({ stored }) => stored.problems);
  const own = problems.filter((problem) => splitPlace(problem.path).path === path);
  if (own.length === 0) return null;
  return (
    <ul className={classes.placeProblems} aria-label="Problems here">
      {own.map(({ path: place, message, severity }) => (
        <li key={`${place} ${message}`} className={severity === "error" ? "ts-bad" : "ts-warn"}>
          {visibleText(message)}
        </li>
      ))}
    </ul>
  );
}
