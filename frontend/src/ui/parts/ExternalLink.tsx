import { IconExternalLink } from "@tabler/icons-react";

import { parseAddress } from "@/lib/valueShapes";
import { cutText, visibleText } from "@/lib/visibleText";
import classes from "@/ui/parts/parts.module.css";

const LONGEST = 120;

/** An address from a tape, as a link that shows its full target, or as text. */
export function ExternalLink({ address }: { address: string }) {
  const url = parseAddress(address);
  const shown = address.length <= LONGEST ? address : `${cutText(address, LONGEST)}…`;
  if (url === null) return <span className={classes.address}>{visibleText(shown)}</span>;
  return (
    <a
      className={classes.address}
      href={url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={visibleText(url.href)}
    >
      {visibleText(shown)}
      <IconExternalLink size={12} stroke={1.75} aria-label="opens in a new tab" />
    </a>
  );
}
