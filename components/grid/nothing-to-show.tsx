"use client";

import { useDeferredValue, useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { UnreadCompany } from "@/components/shell/unread-company";
import { Empty, NothingMatches } from "@/components/ui/empty";
import { useNow } from "@/lib/client/use-now";
import { useOpen } from "@/lib/client/use-open";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { endpointPath } from "@/lib/domain/partner-address";
import { nearNames } from "@/lib/domain/text/near-names";
import { instantMs } from "@/lib/domain/time/instant";
import { firstCheckText } from "@/lib/domain/words/first-check";
import type { Board } from "./board";
import type { BoardState } from "./board-url";
import {
  NO_HISTORY,
  NO_DATA,
  NO_ENDPOINTS,
  STARTING,
  STARTING_SENTENCE,
  didYouMean,
  hiddenSentence,
  noHistorySentence,
  noDataSentence,
  noEndpointsSentence,
  noMatchSentence,
  noMatchTitle,
  openText,
  showAllText,
} from "./words";

const NO_ROWS: readonly SyncStatusRow[] = [];

export type NothingToShowProps = {
  board: Board;
  state: BoardState;
  change: (changes: Partial<BoardState>) => void;
};

/** The empty state of the list: what is missing, and how to get out of it. */
export function NothingToShow({ board, state, change }: NothingToShowProps) {
  const { asOf, name, source } = useLiveCompany();
  if (asOf === null) {
    if (source.left != null) return <Empty title={NO_HISTORY}>{noHistorySentence(name)}</Empty>;
    return source.reason === "starting" || source.reason === null ? (
      <Starting />
    ) : (
      <UnreadCompany title={NO_DATA}>{noDataSentence(name)}</UnreadCompany>
    );
  }
  if (board.total === 0) {
    return <UnreadCompany title={NO_ENDPOINTS}>{noEndpointsSentence(name)}</UnreadCompany>;
  }
  const all = {
    show: showAllText(board.total),
    onShowAll: () => change({ verdict: null, unattended: false, q: "" }),
  };
  if (state.q.trim() !== "") {
    return <NoMatch wanted={state.q.trim()} verdict={state.verdict} all={all} />;
  }
  return (
    <NothingMatches {...all}>
      {hiddenSentence(state.verdict, board.total - board.matching)}
    </NothingMatches>
  );
}

/** A search without results: suggests the closest name, or clearing the search. */
function NoMatch({
  wanted,
  verdict,
  all,
}: {
  wanted: string;
  verdict: BoardState["verdict"];
  all: { show: string; onShowAll: () => void };
}) {
  const { slug, view } = useLiveCompany();
  const openPage = useOpen();
  const rows = view?.rows ?? NO_ROWS;
  // Comparing with every name takes longer than a keystroke may, so "no match" is shown first.
  const compared = useDeferredValue(wanted, "");
  const closest = useMemo(() => {
    // With a verdict filter, that may be what hides it.
    if (verdict !== null || compared === "") return undefined;
    const byName = new Map(rows.map((row) => [`${row.partner_name} / ${row.endpoint_key}`, row]));
    const [name = ""] = nearNames(compared, byName.keys(), 1);
    return byName.get(name);
  }, [compared, verdict, rows]);
  const title = noMatchTitle(wanted);
  if (closest === undefined) {
    return (
      <NothingMatches title={title} {...all}>
        {noMatchSentence(verdict)}
      </NothingMatches>
    );
  }
  const open = () => openPage(endpointPath(slug, closest.partner_name, closest.id));
  return (
    <Empty
      title={title}
      action={
        <Button look="primary" onClick={open}>
          {openText(closest.endpoint_key)}
        </Button>
      }
    >
      {didYouMean(`${closest.partner_name} / ${closest.endpoint_key}`)}
    </Empty>
  );
}

/** Where many companies share a source, the first check waits for its turn. */
function Starting() {
  const { source } = useLiveCompany();
  const timeZone = useZone();
  const nextMs = instantMs(source.next_refresh_at);
  const title = useNow((nowMs) => firstCheckText(nextMs, nowMs, timeZone) ?? STARTING);
  return <Empty title={title}>{STARTING_SENTENCE}</Empty>;
}
