/** The pieces of a message or an answer: texts, code, images, recordings, files. */
import { formatBytes } from "@/lib/format";
import { isObject, type JsonObject } from "@/lib/json";
import { namedFile } from "@/lib/namedFile";
import type { Part, Place } from "@/lib/stepPart";
import { isSafeImage, languageIn, readAddress } from "@/lib/valueShapes";

/** The images and recordings of a message. */
export function mediaOf(content: unknown): Part[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((item: unknown, at) => {
    if (!isObject(item) || !MEDIA.has(item.type)) return [];
    return pieceOf(item, { pointer: `/content/${at}`, label: null }) ?? [];
  });
}

/** The image or other file that a value represents, if it is one. */
export function mediaPartOf(value: unknown): Part | null {
  const place: Place = { pointer: "", label: null };
  if (isObject(value)) return MEDIA.has(value.type) ? pieceOf(value, place) : null;
  if (typeof value !== "string") return null;
  if (isSafeImage(value)) return { type: "image", ...place, source: value };
  const file = namedFile(value);
  return file === null ? null : { type: "text", ...place, text: file, look: "plain" };
}

const MEDIA: ReadonlySet<unknown> = new Set(["image_url", "input_audio", "video_url", "file"]);

/** A code block, or a piece of a message in the chat completions format. */
export function pieceOf(item: JsonObject, place: Place): Part | null {
  const { code, type, text, image_url: image } = item;
  const pointer = (name: string) => `${place.pointer}/${name}`;
  if (typeof code === "string") {
    return {
      type: "code",
      pointer: pointer("code"),
      label: null,
      text: code,
      language: languageIn(item),
    };
  }
  if (type === "text" && typeof text === "string") {
    return { type: "text", pointer: pointer("text"), label: null, text, look: "prose" };
  }
  if (type === "input_audio" && isObject(item.input_audio)) {
    const { data, format } = item.input_audio;
    const size = typeof data === "string" ? formatBytes(Math.floor((data.length * 3) / 4)) : "";
    const words = ["Recording", typeof format === "string" ? format : "", size];
    const text = words.filter((word) => word !== "").join(", ");
    return { type: "text", pointer: pointer("input_audio"), label: null, text, look: "plain" };
  }
  const file = filePieceOf(item, place);
  if (file !== null) return file;
  const url = isObject(image) ? image.url : image;
  if (type !== "image_url" || typeof url !== "string") return null;
  const at: Place = { pointer: pointer("image_url"), label: null };
  if (isSafeImage(url)) return { type: "image", ...at, source: url };
  if (readAddress(url) !== null) return { type: "link", ...at, url };
  if (url.startsWith("data:")) {
    const text = url.endsWith(",")
      ? "An image, not loaded"
      : `An image that cannot be shown, ${formatBytes(url.length)}`;
    return { type: "text", ...at, text, look: "plain" };
  }
  return { type: "text", ...at, text: url, look: "plain" };
}

/** A video or another file: its name, type and size, or a link to it. */
function filePieceOf({ type, file, video_url: video }: JsonObject, place: Place): Part | null {
  const at: Place = { pointer: `${place.pointer}/${String(type)}`, label: null };
  const held = type === "file" ? file : type === "video_url" ? video : undefined;
  const given = isObject(held) ? (held.file_data ?? held.url ?? held.file_id) : held;
  if (typeof given !== "string") return null;
  if (readAddress(given) !== null) return { type: "link", ...at, url: given };
  const name = isObject(held) && typeof held.filename === "string" ? held.filename : "";
  const text = namedFile(given, name) ?? [name, given].filter((word) => word !== "").join(", ");
  return { type: "text", ...at, text, look: "plain" };
}
