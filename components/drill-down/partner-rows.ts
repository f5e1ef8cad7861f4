"use client";

import { useMemo } from "react";
import { judge, momentOf } from "@/lib/domain/judge";
import { useLiveCompany } from "@/components/shell/live-company";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";

/** A row as it stands at one moment; `word` is the snapshot's own when the picture is blind. */
export type JudgedRow = {
  row: SyncStatusRow;
  endpointKey: string;
  word: Verdict;
  judgement: Judgement;
};

/**
 * A partner's endpoints as they are now, in the API's order.
 * @param first what the server drew, shown until the browser has its own copy
 */
export function usePartnerRows(
  partnerName: string,
  first: readonly SyncStatusRow[],
): readonly SyncStatusRow[] {
  const { view } = useLiveCompany();
  return useMemo(
    () => (view === null ? first : view.rows.filter((row) => row.partner_name === partnerName)),
    [view, first, partnerName],
  );
}

/**
 * A way to judge rows at any moment of the server's clock (epoch milliseconds). `apiNowMs` is the same
 * moment on the API's clock, on which everything about syncs is dated. `judgedMs` is the one that the rows
 * were judged at: the same, or the snapshot's once we are blind.
 */
export function useJudge(): (
  rows: readonly SyncStatusRow[],
  nowMs: number,
) => { apiNowMs: number; judgedMs: number; judged: JudgedRow[] } {
  const { asOf, source } = useLiveCompany();
  return useMemo(
    () => (rows, nowMs) => {
      const moment = momentOf({ as_of: asOf, source }, nowMs);
      const judged = rows.map((row) => {
        const judgement = judge(row, moment);
        return { row, endpointKey: row.endpoint_key, word: judgement.word, judgement };
      });
      return { apiNowMs: nowMs + source.api_clock_offset_ms, judgedMs: moment.atMs, judged };
    },
    [asOf, source],
  );
}

/** Rows, judged again every `stepMs`: what is drawn or summed need not be drawn more often. */
export function useJudgedEvery(rows: readonly SyncStatusRow[], stepMs: number) {
  const judgeAt = useJudge();
  const nowMs = useNow((ms) => Math.floor(ms / stepMs) * stepMs);
  return useMemo(() => judgeAt(rows, nowMs), [judgeAt, rows, nowMs]);
}
