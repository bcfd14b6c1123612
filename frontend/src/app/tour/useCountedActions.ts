/** Counts what the person does on the page while the tour waits for it. */
import { useEffect, type RefObject } from "react";

import { isWriting, judgeAction, type Action, type Typing } from "@/app/tour/actionCount";
import { countAction } from "@/lib/tour";

/** `card`: its buttons lead the tour, and do no work. */
export function useCountedActions(card: RefObject<HTMLElement | null>, isCounting: boolean): void {
  useEffect(() => {
    if (!isCounting) return;
    let typing: Typing = null;
    const take = ({ target }: Event, action: Action) => {
      if (isSteering(target, action, card.current)) return;
      const judged = judgeAction(action, typing);
      typing = judged.typing;
      if (judged.counts) countAction();
    };
    const onPointerDown = (event: PointerEvent) => {
      if (event.isPrimary && event.button === 0) take(event, { what: "click" });
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const writes = findField(event.target) !== null && isWriting(event);
      take(event, { what: "key", key: event.key, isRepeat: event.repeat, writes });
    };
    const onInput = (event: Event) => {
      const field = findField(event.target);
      if (field !== null) take(event, { what: "text", field });
    };
    // Before the page handles it: what is done may take the card or the element away.
    const options = { capture: true };
    document.addEventListener("pointerdown", onPointerDown, options);
    document.addEventListener("keydown", onKeyDown, options);
    document.addEventListener("input", onInput, options);
    return () => {
      document.removeEventListener("pointerdown", onPointerDown, options);
      document.removeEventListener("keydown", onKeyDown, options);
      document.removeEventListener("input", onInput, options);
    };
  }, [card, isCounting]);
}

function isSteering(target: EventTarget | null, action: Action, card: HTMLElement | null) {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button === null || card?.contains(button) !== true) return false;
  return action.what !== "key" || action.key === "Enter" || action.key === " ";
}

const NO_TEXT = "[type='checkbox'], [type='radio'], [type='range'], [type='file'], [readonly]";

function findField(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof HTMLElement)) return null;
  if (target.isContentEditable) return target;
  return target.matches("input, textarea") && !target.matches(NO_TEXT) ? target : null;
}
