/** Moving through the steps of all tapes that are open beside a rubric, by keys. */
/** The padding above the first step, in pixels. */
const ABOVE = 12;
const lists = () => document.querySelectorAll("[data-steps]");

/** To the start of the next or the previous step. */
export function scrollSteps(direction: 1 | -1): void {
  for (const list of lists()) {
    const top = list.getBoundingClientRect().top + ABOVE;
    const cards = [...list.querySelectorAll("article")];
    const tops = cards.map((card) => card.getBoundingClientRect().top - top);
    const at = direction === 1 ? tops.findIndex((y) => y > 2) : tops.findLastIndex((y) => y < -2);
    // Not `scrollIntoView`, which would leave the step where `k` finds it again.
    list.scrollTop += tops[at] ?? 0;
  }
}

export function scrollAllToEnd(): void {
  for (const list of lists()) scrollToEnd(list);
}

export function scrollToEnd(list: Element | null): void {
  if (list !== null) list.scrollTop = list.scrollHeight;
}
