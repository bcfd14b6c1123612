/** A step of which the page has only the beginning: the rest loads on request. */
import { useQuery } from "@tanstack/react-query";

import { describeError } from "@/api/client";
import { wholeStepQuery } from "@/api/tapes";
import type { StepData } from "@/api/types";
import type { CutNoticeProps } from "@/ui/parts/CutNotice";

/** A larger step is not drawn; it can be downloaded. */
const LARGEST_SHOWN = 20_000_000;
/** A larger step is not edited in a page. */
export const LARGEST_EDITED = 8_000_000;
const IMAGE = /\/image_url(\/url)?$/;

export interface FullStep {
  /** The whole step once it has loaded, its beginning until then. */
  step: StepData | undefined;
  /** The notice below a beginning; `null` once the step is complete. */
  notice: CutNoticeProps | null;
}

interface Wanted {
  isOpen: boolean;
  onShowAll: () => void;
}

/** `isOpen`: the reader asked for all of it. Half an image is useless, so images load unasked. */
export function useFullStep(
  tapeId: string,
  step: StepData | undefined,
  { isOpen, onShowAll }: Wanted,
): FullStep {
  const cut = step?.cut ?? null;
  const position = step?.position ?? 0;
  const canShow = cut !== null && cut.size <= LARGEST_SHOWN;
  const whole = useQuery({
    ...wholeStepQuery(tapeId, position),
    enabled: canShow && (isOpen || cut.places.some((place) => IMAGE.test(place))),
  });
  if (cut === null || whole.data !== undefined) {
    return { step: cut === null ? step : whole.data, notice: null };
  }
  const notice: CutNoticeProps = {
    cut,
    address: `/api/v1/tapes/${tapeId}/steps/${position}`,
    isLoading: whole.isFetching,
    problem: whole.error === null ? "" : describeError(whole.error),
    ...(canShow && !isOpen ? { onShowAll } : {}),
  };
  return { step, notice };
}
