import { expect, test } from "vitest";

import { isSafeImage } from "@/lib/valueShapes";

const encode = (bytes: readonly number[]) => btoa(String.fromCodePoint(...bytes));
const png = (width: readonly number[]) =>
  encode([
    0x89,
    0x50,
    0x4e,
    0x47,
    13,
    10,
    26,
    10,
    0,
    0,
    0,
    13,
    73,
    72,
    68,
    82,
    ...width,
    0,
    0,
    1,
    0,
  ]);

test.each([
  ["a PNG", `data:image/png;base64,${png([0, 0, 1, 0])}`],
  [
    "a GIF",
    `data:image/gif;base64,${encode([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 5, 0, 0, 0])}`,
  ],
  [
    "a JPEG",
    `data:image/jpeg;base64,${encode([255, 216, 255, 224, 0, 4, 1, 2, 255, 0xc2, 0, 17, 8, 0, 5, 0, 3, 3])}`,
  ],
  [
    "a WebP",
    `data:image/webp;base64,${btoa("RIFF....WEBPVP8X........\u0002\u0000\u0000\u0004\u0000\u0000")}`,
  ],
])("%s is drawn", (_, source) => {
  expect(isSafeImage(source)).toBe(true);
});

test.each([
  ["an image of too many dots", `data:image/png;base64,${png([0, 9, 0, 0])}`],
  ["markup that calls itself an image", `data:image/png;base64,${btoa("<svg onload='x'/>")}`],
  ["a vector image", `data:image/svg+xml;base64,${btoa("<svg/>")}`],
  ["an image elsewhere", "https://example.org/a.png"],
  ["half an image", "data:image/jpeg;base64,/9j/"],
])("%s is not", (_, source) => {
  expect(isSafeImage(source)).toBe(false);
});
