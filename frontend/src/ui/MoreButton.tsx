import type { ReactNode } from "react";

import classes from "@/ui/MoreButton.module.css";

interface MoreButtonProps {
  /** Whether what it opens is open; without it nothing opens. */
  isOpen?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A quiet button below what it shows more of. */
export function MoreButton({ isOpen, onClick, children }: MoreButtonProps) {
  return (
    <button type="button" className={classes.more} aria-expanded={isOpen} onClick={onClick}>
      {children}
    </button>
  );
}
