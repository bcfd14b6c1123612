import type { ReactNode } from "react";

import classes from "@/ui/MoreButton.module.css";

interface MoreButtonProps {
  /** Whether what it controls is open; omitted if it opens nothing. */
  isOpen?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A quiet button below content that it shows more of. */
export function MoreButton({ isOpen, onClick, children }: MoreButtonProps) {
  return (
    <button type="button" className={classes.more} aria-expanded={isOpen} onClick={onClick}>
      {children}
    </button>
  );
}
