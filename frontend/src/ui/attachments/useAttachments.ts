/** Images that a person attaches to a message: chosen, pasted or dropped. */
import { type ClipboardEvent, type DragEvent, useState } from "react";

import { formatBytes } from "@/lib/format";
import { isSafeImage } from "@/lib/valueShapes";

export interface Attachment {
  name: string;
  /** The image itself, as a data: URL. */
  source: string;
}

export interface Attachments {
  items: readonly Attachment[];
  problem: string;
  add: (files: Iterable<File>) => Promise<void>;
  remove: (at: number) => void;
  /** Remove what was sent; images added meanwhile stay. */
  forget: (sent: readonly Attachment[]) => void;
  /** Handlers for the element that images are pasted into or dropped on. */
  target: {
    onPaste: (event: ClipboardEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

export const IMAGE_TYPES = "image/png,image/jpeg,image/gif,image/webp";
const MOST = 10;
const LARGEST = 5_000_000;

export function useAttachments(): Attachments {
  const [items, setItems] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState("");

  const add = async (files: Iterable<File>) => {
    const read = await Promise.all(Array.from(files, readFile));
    const refused = read.filter((one) => typeof one === "string");
    const taken = read.filter((one) => typeof one !== "string");
    const room = MOST - items.length;
    setItems([...items, ...taken.slice(0, room)]);
    setProblem(
      refused[0] ?? (taken.length > room ? `A message can have at most ${MOST} images.` : ""),
    );
  };
  const take = (event: ClipboardEvent | DragEvent, given: DataTransfer | null) => {
    const files = [...(given?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  return {
    items,
    problem,
    add,
    remove: (at) => {
      setItems(items.filter((_, index) => index !== at));
      setProblem("");
    },
    forget: (sent) => setItems((now) => now.filter((item) => !sent.includes(item))),
    target: {
      onPaste: (event) => take(event, event.clipboardData),
      onDragOver: (event) => event.preventDefault(),
      onDrop: (event) => take(event, event.dataTransfer),
    },
  };
}

/** In the API's format: the parts of a message; empty without images. */
export function partsOfAttachments(items: readonly Attachment[]) {
  const parts = items.map(({ source }) => ({ type: "image_url", image_url: { url: source } }));
  return parts.length === 0 ? {} : { attachments: parts };
}

/** The image, or why it cannot be attached. */
async function readFile(file: File): Promise<Attachment | string> {
  if (!IMAGE_TYPES.split(",").includes(file.type))
    return `${file.name} is not a PNG, JPEG, GIF or WebP image.`;
  if (file.size > LARGEST)
    return `${file.name} has ${formatBytes(file.size)}; at most ${formatBytes(LARGEST)} can be sent.`;
  const source = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener("loadend", () =>
      resolve(typeof reader.result === "string" ? reader.result : ""),
    );
    reader.readAsDataURL(file);
  });
  return isSafeImage(source) ? { name: file.name, source } : `${file.name} could not be read.`;
}
