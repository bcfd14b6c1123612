/** Which draft a tape opens with: that of the fix in its address, else the newest one. */
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { Draft as StoredDraft, Fix, Tape } from "@/api/types";
import { readFix } from "@/features/tape-editor/draft";
import { fixesQuery } from "@/features/tape-editor/saving/api";
import { useAddress } from "@/lib/useAddress";

/** `undefined` while the fix is being loaded. */
export function useOpeningDraft(tape: Tape): StoredDraft | null | undefined {
  const [address] = useAddress();
  // Later changes of the address are handled by the open editor.
  const [{ asked, newest }] = useState({
    asked: readFix(address.get("fix")),
    newest: tape.draft,
  });
  const isOther = asked !== null && asked !== newest?.fix;
  const fixes = useQuery({ ...fixesQuery(tape.id), enabled: isOther });
  // A cached answer from an earlier visit may be older than the last save.
  const known = fixes.isFetchedAfterMount ? fixes.data : undefined;
  const found = known?.find(({ fix }) => fix === asked);
  const isMissing = isOther && known !== undefined && found === undefined;
  useEffect(() => {
    if (isMissing) showMissing(asked);
  }, [isMissing, asked]);
  if (!isOther || isMissing || fixes.isError) return newest;
  return found;
}

function showMissing(fix: Fix): void {
  notifications.show({
    title: `You have no fix ${fix} of this tape`,
    message:
      "It was removed, or it belongs to another person: everyone has their own fixes. The sender of the link can save it as a tape and send a link to that.",
  });
}
