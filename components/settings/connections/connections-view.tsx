"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import {
  ResourceList,
  ResourcePage,
  ResourcePager,
  ResourceTools,
} from "@/components/resource/resource-page";
import { useLatest } from "@/components/resource/use-resource";
import { When } from "@/components/resource/when";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { connectionsQuery } from "@/lib/client/queries/connections/connections";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { ConnectionsView as View } from "@/lib/contracts/connections";
import { foldText } from "@/lib/domain/text/fold-text";
import { ChangeDialogs, type OpenDialog } from "./change-dialogs";
import { CONNECTIONS_DIALOG, draftOf, isKeptChange } from "./change-draft";
import { IMPORT } from "./change-words";
import { Capacity, Hosts, hostsOf, Left, RefusedFile } from "./connection-notes";
import { ConnectionTable } from "./connection-table";
import { BLIND, DELAYED, FAILING, ranksOf, sameNumbers, WELL } from "./ranks";
import * as words from "./words";

const PER_PAGE = 40;

type Which = "all" | "problems";

/**
 * Connections: how Plumbline reads each company.
 * @param first data sent with the page, at `firstMs` on the server's clock
 */
export function ConnectionsView({ first, firstMs }: { first: View; firstMs: number }) {
  const timeZone = useZone();
  const clock = useServerClock();
  const { view, receivedMs, isError } = useLatest(connectionsQuery(clock), {
    view: first,
    receivedMs: firstMs,
  });
  const { data, meta } = view;
  const [typed, setTyped] = useState("");
  const [which, setWhich] = useState<Which>("all");
  const [page, setPage] = useState(1);
  const sought = useDeferredValue(typed);

  const ranks = useNow((nowMs) => ranksOf(data, nowMs), sameNumbers);
  const troubled = ranks.filter((rank) => rank < WELL).length;
  const title = words.headline(data.length, ranks.filter((rank) => rank === BLIND).length);
  const sub = words.subline({
    delayed: ranks.filter((rank) => rank === DELAYED).length,
    failing: ranks.filter((rank) => rank === FAILING).length,
    paused: data.filter(({ paused_at: at }) => at !== null).length,
  });
  const hosts = useMemo(() => hostsOf(data), [data]);
  const source = useNow((nowMs) =>
    words.sourceLine(
      meta,
      {
        companies: data.length,
        hosts: hosts.length,
        ofFile: data.filter(({ origin }) => origin === "file").length,
      },
      { nowMs, timeZone },
    ),
  );

  const order = useMemo(() => {
    const wanted = foldText(sought.trim());
    return data
      .map((connection, index) => ({ connection, rank: ranks[index] ?? WELL }))
      .filter(({ rank }) => which === "all" || rank < WELL)
      .filter(
        ({ connection: { name, slug, host } }) =>
          wanted === "" || [name, slug, host].some((text) => foldText(text).includes(wanted)),
      )
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ connection }) => connection.slug);
  }, [data, ranks, which, sought]);
  const { isInteracting, handlers } = useInteracting();
  // Rows don't move under a pointer or focus, except after a search.
  const held = useFrozenOrder(order, `${which} ${sought} ${data.length}`, isInteracting);
  const bySlug = useMemo(() => new Map(data.map((one) => [one.slug, one])), [data]);
  const pages = Math.max(1, Math.ceil(held.length / PER_PAGE));
  const shownPage = Math.min(page, pages);
  const shown = held
    .slice((shownPage - 1) * PER_PAGE, shownPage * PER_PAGE)
    .flatMap((slug) => bySlug.get(slug) ?? []);

  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  useResumableDialog(CONNECTIONS_DIALOG, isKeptChange, (kept) => {
    if (kept.dialog === "import") {
      setDialog({ kind: "import" });
      return;
    }
    const connection = bySlug.get(kept.slug);
    if (connection === undefined) return;
    if (kept.dialog === "edit") setDialog({ kind: "edit", connection, draft: kept.draft });
    else setDialog({ kind: kept.dialog, connection });
  });
  const connectLink = (
    <Link href="/settings/connections/new" className="button-link is-primary">
      {words.CONNECT}
    </Link>
  );

  return (
    <ResourcePage
      title={title}
      subline={sub}
      actions={
        <>
          <Button onClick={() => setDialog({ kind: "import" })}>{IMPORT}</Button>
          {data.length === 0 ? null : connectLink}
        </>
      }
    >
      <RefusedFile file={meta.file} />
      <ResourceTools
        search={words.SEARCH}
        text={typed}
        onType={(text) => {
          setTyped(text);
          setPage(1);
        }}
      >
        <Segmented
          label={words.WHICH}
          value={which}
          options={[
            { value: "all", label: words.allChoice(data.length) },
            { value: "problems", label: words.problemsChoice(troubled) },
          ]}
          onChange={(value) => {
            setWhich(value);
            setPage(1);
          }}
        />
        <p className="ml-auto text-right text-ink-3 max-md:ml-0 max-md:text-left">
          {isError ? (
            <When at={new Date(receivedMs).toISOString()} say={words.notRefreshed} />
          ) : (
            source
          )}
        </p>
      </ResourceTools>
      <ResourceList
        data={shown}
        isError={isError}
        amountOf={({ length }) => length}
        isNarrowed={data.length > 0}
        words={words.listWords}
        next={connectLink}
        onShowAll={() => {
          setTyped("");
          setWhich("all");
        }}
      >
        {(connections) => (
          <div {...handlers}>
            <ConnectionTable
              connections={connections}
              onProve={setDialog}
              onAct={(act, connection) =>
                setDialog(
                  act === "edit"
                    ? { kind: "edit", connection, draft: draftOf(connection) }
                    : { kind: act, connection },
                )
              }
            />
          </div>
        )}
      </ResourceList>
      <ResourcePager
        words={words.pageWords}
        meta={{ page: shownPage, total_pages: pages, total_count: held.length }}
        onPage={setPage}
      />
      <Hosts hosts={hosts} meta={meta} />
      <Capacity meta={meta} />
      <Left left={meta.left} />
      <ChangeDialogs dialog={dialog} onClose={() => setDialog(null)} />
    </ResourcePage>
  );
}
