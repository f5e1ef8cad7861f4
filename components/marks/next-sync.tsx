import type { NextTexts } from "@/lib/domain/words/next-sync-text";

/** A next sync in a cell: "in 6 m", "14:26"; on a phone, where no column head names it, "next" precedes it. */
export function NextSync({ nextLabel, nextIn, nextAt }: NextTexts) {
  return (
    <>
      {nextLabel === "" ? null : <span className="only-phone text-ink-3">{nextLabel} </span>}
      {nextIn === "" ? null : <b>{nextIn}</b>}
      {nextAt === "" ? null : <span className="font-mono">{nextAt}</span>}
    </>
  );
}
