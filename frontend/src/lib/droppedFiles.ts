/** The files of a drop, including those inside dropped folders. */

export async function readDroppedFiles(data: DataTransfer): Promise<File[]> {
  // Read the entries synchronously: the list is emptied when the event is over.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  if (entries.every((entry) => entry === null)) return [...data.files];
  const found = await Promise.all(entries.map(readEntry));
  return found.flat();
}

async function readEntry(entry: FileSystemEntry | null): Promise<File[]> {
  if (isFileEntry(entry)) return [await new Promise<File>((done, fail) => entry.file(done, fail))];
  if (!isDirectoryEntry(entry)) return [];
  const reader = entry.createReader();
  const files: File[] = [];
  // A browser returns a folder's entries in batches; an empty batch is the end.
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((done, fail) =>
      reader.readEntries(done, fail),
    );
    if (portion.length === 0) return files;
    files.push(...(await Promise.all(portion.map(readEntry))).flat());
  }
}

function isFileEntry(entry: FileSystemEntry | null): entry is FileSystemFileEntry {
  return entry?.isFile === true;
}

function isDirectoryEntry(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true;
}

/** System files, which nobody means to import. */
export function isHidden(file: File): boolean {
  return file.name.startsWith(".") || ["Thumbs.db", "desktop.ini"].includes(file.name);
}

/** The folder that files were chosen from, when there is one. */
export function folderOf(files: readonly File[]): string {
  const path = files[0]?.webkitRelativePath ?? "";
  return path.includes("/") ? (path.split("/")[0] ?? "") : "";
}
