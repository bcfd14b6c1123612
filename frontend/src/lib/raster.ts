/** The size of an image, from its first bytes: a few bytes may stand for an enormous image. */

const START = 340_000;
const MOST_PIXELS = 50_000_000;

/** Return whether a data: URL holds a PNG, JPEG, GIF or WebP image that browsers can draw well. */
export function isDrawable(source: string): boolean {
  const bytes = firstBytes(source);
  const size = bytes === null ? null : sizeOf(new DataView(bytes.buffer));
  return size !== null && size[0] > 0 && size[1] > 0 && size[0] * size[1] <= MOST_PIXELS;
}

function firstBytes(source: string): Uint8Array<ArrayBuffer> | null {
  const encoded = source.slice(source.indexOf(",") + 1).slice(0, START);
  const whole = encoded.replaceAll(/[\s=]/g, "");
  try {
    return Uint8Array.from(atob(whole.slice(0, whole.length - (whole.length % 4))), byteOf);
  } catch {
    return null;
  }
}

const byteOf = (letter: string) => letter.codePointAt(0) ?? 0;

type Size = readonly [width: number, height: number];

function sizeOf(view: DataView): Size | null {
  try {
    if (view.getUint32(0) === 0x89504e47) return [view.getUint32(16), view.getUint32(20)];
    if (view.getUint32(0) === 0x47494638) return [view.getUint16(6, true), view.getUint16(8, true)];
    if (view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250) return webp(view);
    return view.getUint16(0) === 0xffd8 ? jpeg(view) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function webp(view: DataView): Size | null {
  const [lossy, lossless, extended] = [0x56503820, 0x5650384c, 0x56503858];
  const kind = view.getUint32(12);
  if (kind === lossy) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (kind === extended) return [threeBytes(view, 24) + 1, threeBytes(view, 27) + 1];
  if (kind !== lossless) return null;
  const bits = view.getUint32(21, true);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

function threeBytes(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
}

/** Walk the segments to the frame header, which contains the size. */
function jpeg(view: DataView): Size | null {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}
