import type { Experiment } from "@/api/types";
import classes from "@/features/tape-editor/run-n/panel.module.css";
import { intervalWords } from "@/features/tape-editor/run-n/rates";
import { dollars } from "@/lib/money";
import { visibleText } from "@/lib/visibleText";
import { Cost } from "@/ui/Quantities";

type Condition = Experiment["summary"]["conditions"][number];

export function ConditionTable({ conditions }: { conditions: readonly Condition[] }) {
  return (
    <table className={classes.small}>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col" data-align="end">
            Temp.
          </th>
          <th scope="col" data-align="end">
            Pass
          </th>
          <th scope="col" data-align="end">
            95 %
          </th>
          <th scope="col" data-align="end">
            Cost each
          </th>
        </tr>
      </thead>
      <tbody>
        {conditions.map(({ model_id: id, model_name: name, temperature, group }) => (
          <tr key={`${id ?? ""} ${temperature ?? ""}`}>
            <th scope="row" className="ts-truncate">
              {name === "" ? "agent default" : visibleText(name)}
            </th>
            <td data-align="end">{temperature ?? "–"}</td>
            <td data-align="end">
              {group.judged === 0 ? "–" : `${group.passed} of ${group.judged}`}
            </td>
            <td data-align="end">
              {group.pass_rate === null ? "–" : intervalWords(group.pass_rate)}
            </td>
            <td data-align="end">
              <Cost value={dollars(group.cost_micro_usd)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
