import { createSpotlight } from "@mantine/spotlight";

/** Whether the palette is open, known before the palette itself has loaded. */
export const [paletteStore, { open: openPalette }] = createSpotlight();
