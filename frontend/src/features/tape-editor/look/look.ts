/** How a person prefers to read tapes: kept in this browser, for all tapes. */
import { type Detail, DETAILS } from "@/features/tape-editor/look/detail";

export interface Look {
  detail: Detail;
  /** Markdown is rendered, not shown as its source. */
  isRendered: boolean;
}

const PLACE = "studio.tape.look";
export const USUAL_LOOK: Look = { detail: "all", isRendered: true };

export function readLook(): Look {
  const [detail, text] = (window.localStorage.getItem(PLACE) ?? "").split(" ");
  return {
    detail: DETAILS.find((known) => known === detail) ?? USUAL_LOOK.detail,
    isRendered: text !== "plain",
  };
}

export function keepLook({ detail, isRendered }: Look): void {
  window.localStorage.setItem(PLACE, `${detail} ${isRendered ? "rendered" : "plain"}`);
}
