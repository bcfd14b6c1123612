import classes from "@/features/tapes/Tapes.module.css";

/** "Add to queue"; where the bar has little room, "Queue". Its button has the whole name. */
export function AddToWords({ noun }: { noun: string }) {
  return (
    <>
      <span className={classes.spacious}>Add to&nbsp;</span>
      <span className={classes.noun}>{noun}</span>
    </>
  );
}
