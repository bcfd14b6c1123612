/** A pass rate as a bar with its interval as a whisker; the text is next to it. */
import type { Rate } from "@/lib/format";
import classes from "@/ui/RateBar.module.css";

const WIDTH = 72;
const HEIGHT = 12;

export function RateBar({ rate: { value, low, high } }: { rate: Rate }) {
  return (
    <svg className={classes.bar} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect className={classes.track} width={WIDTH} height={HEIGHT} rx={2} />
      <rect className={classes.fill} width={value * WIDTH} height={HEIGHT} rx={2} />
      <line
        className={classes.whisker}
        x1={low * WIDTH}
        x2={high * WIDTH}
        y1={HEIGHT / 2}
        y2={HEIGHT / 2}
      />
    </svg>
  );
}
