/** Put the cursor in the field of a place, or of what is around it, once it is drawn. */
export function focusField(within: HTMLElement | null, field: string): void {
  requestAnimationFrame(() => {
    const places = [...(within?.querySelectorAll<HTMLElement>("[data-pointer]") ?? [])];
    for (let wanted = field; wanted !== ""; wanted = wanted.slice(0, wanted.lastIndexOf("/"))) {
      const found = places.find((place) => pointerOf(place) === wanted);
      const input =
        found?.querySelector<HTMLElement>("input, textarea, button:not([disabled]), [tabindex]") ??
        null;
      if (input === null) continue;
      // The field may be in a folded part of the form.
      input.closest("details")?.setAttribute("open", "");
      input.focus();
      input.scrollIntoView({ block: "nearest" });
      return;
    }
  });
}

/** A schema form knows its places from its own root, which it is told by what is around it. */
function pointerOf(place: HTMLElement): string {
  const root = place.closest<HTMLElement>("[data-fields]")?.dataset.fields ?? "";
  return `${root}${place.dataset.pointer ?? ""}`;
}
