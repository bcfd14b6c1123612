/** Each person's answers to an item, question by question, with the differences marked. */
import type { Queue, QueueItem, RubricItem } from "@/api/types";
import { choicesOf } from "@/features/annotate/choices";
import classes from "@/features/annotate/lists.module.css";
import { formatSeconds } from "@/lib/format";
import { visibleText } from "@/lib/visibleText";
import { PlainTable } from "@/ui/PlainTable";

export function ItemAnswers({ queue, item }: { queue: Queue; item: QueueItem }) {
  const { answers } = item;
  return (
    <PlainTable aria-label={`Answers to item ${item.number + 1}`}>
      <thead>
        <tr>
          <th scope="col">Question</th>
          {answers.map(({ id, person, seconds }) => (
            <th key={id} scope="col">
              {visibleText(person)}, {formatSeconds(seconds)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {queue.rubric.items.map((question) => (
          <Line
            key={question.key}
            name={question.question}
            words={answers.map(({ values }) => valueWords(question, values[question.key]))}
            canDiffer={question.kind !== "text"}
          />
        ))}
        {answers.some(({ note }) => note !== "") && (
          <Line name="Note" words={answers.map(({ note }) => note)} canDiffer={false} />
        )}
      </tbody>
    </PlainTable>
  );
}

interface LineProps {
  name: string;
  /** One answer per person. */
  words: readonly string[];
  /** False for texts, which always differ. */
  canDiffer: boolean;
}

function Line({ name, words, canDiffer }: LineProps) {
  const isDiffering = canDiffer && new Set(words).size > 1;
  return (
    <tr data-differ={isDiffering || undefined}>
      <th scope="row">
        {visibleText(name)}{" "}
        {isDiffering && <span className={`ts-caption ${classes.tag}`}>differ</span>}
      </th>
      {words.map((text, at) => (
        <td key={at}>{text === "" ? <span className="ts-dimmed">–</span> : visibleText(text)}</td>
      ))}
    </tr>
  );
}

function valueWords(question: RubricItem, value: unknown): string {
  const choice = choicesOf(question).find((one) => one.value === value);
  if (choice !== undefined) return choice.word;
  return typeof value === "string" ? value : "";
}
