/** The key that opens the dialog in which a version is published; `null`: there is nothing to. */
import { useCanWrite } from "@/api/session";
import { useKeys } from "@/lib/keys";

export function usePublishKey(open: (() => void) | null): void {
  const canWrite = useCanWrite();
  useKeys(
    "Versions",
    open === null || !canWrite ? [] : [{ keys: "P", label: "Publish this version", run: open }],
  );
}
