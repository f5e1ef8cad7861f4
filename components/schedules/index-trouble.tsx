"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { FileIndex } from "@/lib/contracts/schedule-files";
import { indexTrouble, type FileListState } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";

/** Why our index may be outdated, with its age; empty while all is well. */
export function IndexTrouble({ index }: { index: FileIndex }) {
  const timeZone = useZone();
  const text = useNow((nowMs) => indexTrouble(listState(index), { nowMs, timeZone }));
  return text === "" ? null : (
    <p role="status" className="my-2 border-l-2 border-late-mark pl-3 text-xs">
      {text}
    </p>
  );
}

/** The index in the form that sentences take. */
export function listState(index: FileIndex): FileListState {
  const { known, total, complete, reason } = index;
  const asOfMs = instantMs(index.as_of);
  return { known, total, complete, reason, asOfMs, secondsLeft: index.seconds_left };
}
