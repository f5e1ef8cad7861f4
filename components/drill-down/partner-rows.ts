"use client";

import { useMemo } from "react";
import { judge, momentOf } from "@/lib/domain/judge";
import { useLiveCompany } from "@/components/shell/live-company";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";

/** A row with its verdict at one moment; `word` is the snapshot's own while blind. */
export type JudgedRow = {
  row: SyncStatusRow;
  endpointKey: string;
  word: Verdict;
  judgement: Judgement;
  promise: SyncStatusRow["promise"];
};

/**
 * A partner's current endpoints, in the API's order.
 * @param first rows rendered by the server, shown until the browser has its own
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
 * Returns a function that judges rows at any moment of the server's clock (epoch milliseconds).
 * `apiNowMs` is that moment on the API's clock, which dates everything about syncs. `judgedMs` is
 * the moment that the rows were judged at: the same, or the snapshot's once blind.
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
        const { endpoint_key: endpointKey, promise } = row;
        return { row, endpointKey, word: judgement.word, judgement, promise };
      });
      return { apiNowMs: nowMs + source.api_clock_offset_ms, judgedMs: moment.atMs, judged };
    },
    [asOf, source],
  );
}

/** Rows, judged again every `stepMs`, which limits how often charts and sums are updated. */
export function useJudgedEvery(rows: readonly SyncStatusRow[], stepMs: number) {
  const judgeAt = useJudge();
  const nowMs = useNow((ms) => Math.floor(ms / stepMs) * stepMs);
  return useMemo(() => judgeAt(rows, nowMs), [judgeAt, rows, nowMs]);
}
