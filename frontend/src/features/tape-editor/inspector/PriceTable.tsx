import type { PriceLine } from "@/api/types";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import { dollars } from "@/lib/money";
import { formatExact } from "@/lib/format";
import { Cost } from "@/ui/Quantities";

interface PriceTableProps {
  lines: readonly PriceLine[];
  /** As recorded, in millionths of a dollar; the prices are today's. */
  cost: number | null;
  isCached: boolean;
  /** The provider did not count the tokens: a library here did. */
  isEstimate: boolean;
}

/** Each class of tokens at its own price; cached ones never at the full price. */
export function PriceTable({ lines, cost, isCached, isEstimate }: PriceTableProps) {
  const most = Math.max(1, ...lines.map(({ tokens }) => tokens ?? 0));
  return (
    <table className={classes.prices} aria-label="Tokens by price class">
      <thead>
        <tr>
          <th scope="col">Tokens</th>
          <th scope="col" aria-label="Share" />
          <th
            scope="col"
            {...(isEstimate && { title: "The provider did not count; a library here did" })}
          >
            {isEstimate ? "Estimate" : "Count"}
          </th>
          <th
            scope="col"
            title="US dollars per million tokens, at the prices now entered under Models"
          >
            $ / 1M
          </th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.name}>
            <th scope="row">{line.name}</th>
            <td className={classes.barCell}>
              <Bar share={(line.tokens ?? 0) / most} name={line.name} />
            </td>
            <td>{line.tokens === null ? "–" : formatExact(line.tokens)}</td>
            <td>{line.price === null ? "–" : dollars(line.price).toFixed(2)}</td>
            <td>{line.tokens === null ? "–" : <Cost value={dollars(line.cost_micro_usd)} />}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{totalOf(isCached, isEstimate)}</th>
          <td />
          <td />
          <td />
          <td>
            <Cost value={dollars(cost)} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function totalOf(isCached: boolean, isEstimate: boolean): string {
  if (isCached) return "Total, from the cache";
  return isEstimate ? "Total, estimate" : "Total";
}

const WIDTH = 100;
const HEIGHT = 8;

function Bar({ share, name }: { share: number; name: string }) {
  return (
    <svg
      className={classes.shareBar}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-class={name}
    >
      <rect className={classes.shareRest} width={WIDTH} height={HEIGHT} rx={1} />
      <rect className={classes.shareFill} width={share * WIDTH} height={HEIGHT} rx={1} />
    </svg>
  );
}
