import classes from "@/features/tapes/Tapes.module.css";

/** "Add to queue"; only "Queue" where there is little room. The accessible name is complete. */
export function AddToWords({ noun }: { noun: string }) {
  return (
    <>
      <span className={classes.spacious}>Add to&nbsp;</span>
      <span className={classes.noun}>{noun}</span>
    </>
  );
}
