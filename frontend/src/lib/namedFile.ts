/** Base64 files inside a text: people read what they are, not their characters. */
import { formatBytes } from "@/lib/format";

const DATA = /^data:([\w.+-]{1,80}\/[\w.+-]{1,80})(?:;[\w.+-]{1,40}=[\w.+-]{1,80})*;base64,/;

/** `a.mp4, video/mp4, 2.1 MB`; `null` if the text is not a file. */
export function namedFile(text: string, name = ""): string | null {
  const [head, type] = DATA.exec(text.slice(0, 400)) ?? [];
  if (head === undefined || type === undefined) return null;
  const size = formatBytes(Math.floor(((text.length - head.length) * 3) / 4));
  return [name === "" ? sortOf(type) : name, type, size].join(", ");
}

function sortOf(type: string): string {
  switch (type.split("/")[0]) {
    case "video":
      return "Video";
    case "audio":
      return "Recording";
    case "image":
      return "Image";
    default:
      return "File";
  }
}
