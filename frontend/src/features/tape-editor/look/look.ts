/** How a person likes to read tapes: kept in this browser, for every tape. */
import { type Detail, DETAILS } from "@/features/tape-editor/look/detail";

export interface Look {
  detail: Detail;
  /** Markdown shows as it is meant, not as it is written. */
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
