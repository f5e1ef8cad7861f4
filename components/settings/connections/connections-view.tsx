"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { DataTable } from "@/components/resource/data-table";
import {
  ResourceList,
  ResourcePage,
  ResourcePager,
  ResourceTools,
} from "@/components/resource/resource-page";
import { useLatest } from "@/components/resource/use-resource";
import { useRowAction } from "@/components/resource/use-row-action";
import { When } from "@/components/resource/when";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { ApiError, statusOf } from "@/lib/client/api";
import { checkConnection, connectionsQuery } from "@/lib/client/queries/connections/connections";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { ConnectionsView as View, ConnectionView } from "@/lib/contracts/connections";
import { confidenceNow } from "@/lib/domain/confidence";
import { foldText } from "@/lib/domain/text/fold-text";
import { CONNECTION_COLUMNS } from "./connection-columns";
import * as words from "./words";

const PER_PAGE = 40;
/** More problems of a file are shown as a number. */
const MOST_PROBLEMS = 8;
const MOST_HOSTS = 5;
const MOST_LEFT = 50;

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
  });
  const hosts = useMemo(() => hostsOf(data), [data]);
  const source = useNow((nowMs) =>
    words.sourceLine(meta, { companies: data.length, hosts: hosts.length }, { nowMs, timeZone }),
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

  return (
    <ResourcePage title={title} subline={sub}>
      <Refused file={meta.file} />
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
        onShowAll={() => {
          setTyped("");
          setWhich("all");
        }}
      >
        {(connections) => (
          <div {...handlers}>
            <Table connections={connections} />
          </div>
        )}
      </ResourceList>
      <ResourcePager
        words={words.pageWords}
        meta={{ page: shownPage, total_pages: pages, total_count: held.length }}
        onPage={setPage}
      />
      <Hosts hosts={hosts} meta={meta} />
      <Left left={meta.left} />
    </ResourcePage>
  );
}

function Table({ connections }: { connections: readonly ConnectionView[] }) {
  const timeZone = useZone();
  const client = useQueryClient();
  const clock = useServerClock();
  const checks = useRowAction();
  const ranks = useNow((nowMs) => ranksOf(connections, nowMs), sameNumbers);
  const check = async (slug: string): Promise<string> => {
    try {
      return words.checkText(await checkConnection(slug), { nowMs: clock.nowMs(), timeZone });
    } catch (error) {
      const after = error instanceof ApiError ? error.retryAfterSeconds : null;
      return words.notChecked(statusOf(error), after);
    } finally {
      // The check may have renewed a token.
      void client.invalidateQueries({ queryKey: ["connections"] });
    }
  };
  return (
    <DataTable
      label={words.CONNECTIONS}
      className="md:[&_.is-bad>*]:bg-bg"
      rows={connections}
      keyOf={({ slug }) => slug}
      toneOf={(connection) => (ranks[connections.indexOf(connection)] === BLIND ? "bad" : "")}
      result={({ slug }) => checks.resultOf(slug)}
      said={checks.said}
      columns={[
        ...CONNECTION_COLUMNS,
        {
          title: words.listHead.action,
          width: "w-[110px]",
          phone: "1 end",
          isActions: true,
          cell: ({ slug, name }) => (
            <CheckButton
              name={name}
              sinceMs={checks.runningSince(slug)}
              onCheck={() =>
                void checks.run(
                  slug,
                  words.checking(0),
                  () => check(slug),
                  (text) => words.said(name, text),
                )
              }
            />
          ),
        },
      ]}
    />
  );
}

/** @param sinceMs start of the running check, on the server's clock; null: none is running */
function CheckButton({
  name,
  sinceMs,
  onCheck,
}: {
  name: string;
  sinceMs: number | null;
  onCheck: () => void;
}) {
  const text = useNow((nowMs) =>
    sinceMs === null
      ? words.CHECK
      : words.checking(Math.max(0, Math.floor((nowMs - sinceMs) / 1000))),
  );
  return (
    <button
      type="button"
      className="settings-act max-md:-my-1.5!"
      aria-label={words.checkLabel(name)}
      // Not disabled: that would move the focus.
      aria-disabled={sinceMs !== null}
      onClick={onCheck}
    >
      {text}
    </button>
  );
}

// Worst first.
const BLIND = 0;
const FAILING = 1;
const DELAYED = 2;
const WELL = 3;

function ranksOf(data: readonly ConnectionView[], nowMs: number): readonly number[] {
  return data.map((connection) => {
    const { reason } = connection;
    if (reason === "starting") return WELL;
    const confidence = confidenceNow(connection, nowMs);
    if (confidence === "blind") return BLIND;
    if (reason !== null) return FAILING;
    return confidence === "delayed" ? DELAYED : WELL;
  });
}

const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, index) => value === b[index]);

type Host = { host: string; companies: number };

/** The most shared first. */
function hostsOf(data: readonly ConnectionView[]): Host[] {
  const counts = new Map<string, number>();
  for (const { host } of data) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts]
    .map(([host, companies]) => ({ host, companies }))
    .toSorted((a, b) => b.companies - a.companies);
}

/** Why the file's current content isn't in use. */
function Refused({ file }: { file: View["meta"]["file"] }) {
  const timeZone = useZone();
  const refused = file?.refused ?? null;
  const since = useNow((nowMs) =>
    refused === null ? "" : words.refusedFile.when(Date.parse(refused.since), { nowMs, timeZone }),
  );
  if (refused === null) return null;
  const more = refused.problems.length - MOST_PROBLEMS;
  return (
    <div
      role="alert"
      className="mb-2 border border-l-[3px] border-line-strong border-l-failing-mark bg-surface px-3 py-2 wrap-anywhere"
    >
      <p>
        <strong className="font-strong">{words.refusedFile.lead(since)}</strong>{" "}
        {words.refusedFile.rest}
      </p>
      <ul className="mt-1 font-mono text-xs/[18px]">
        {refused.problems.slice(0, MOST_PROBLEMS).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
        {more > 0 ? <li>{words.refusedFile.more(more)}</li> : null}
      </ul>
    </div>
  );
}

/** Limits that connections to one host share. */
function Hosts({ hosts, meta }: { hosts: readonly Host[]; meta: View["meta"] }) {
  const shared = hosts.filter(({ companies }) => companies > 1).slice(0, MOST_HOSTS);
  const limits = {
    requests: meta.requests_per_minute,
    tokens: meta.token_requests_per_minute,
  };
  return shared.map(({ host, companies }) => (
    <p key={host} className="mt-[18px] text-xs/[18px] text-ink-2 [p+&]:mt-1">
      <b className="font-strong text-ink">{host}</b> {words.hostSentence(companies, limits)}
    </p>
  ));
}

/** Companies with a record but no connection. */
function Left({ left }: { left: View["meta"]["left"] }) {
  if (left.length === 0) return null;
  const more = left.length - MOST_LEFT;
  return (
    <section className="panel mt-6" aria-labelledby="left-title">
      <header>
        <h2 id="left-title">{words.leftWords.title(left.length)}</h2>
        <p>{words.leftWords.intro}</p>
      </header>
      <ul>
        {left.slice(0, MOST_LEFT).map(({ slug, name, left_at: at }) => (
          <li key={slug} className="flex flex-wrap gap-x-3 border-t border-line py-[5px]">
            <Link href={`/${slug}`} dir="auto" className="font-medium">
              {name}
            </Link>
            <span className="text-ink-2">
              <When
                at={at}
                none={words.leftWords.since(null)}
                say={(when) => words.leftWords.since(when)}
              />
            </span>
          </li>
        ))}
        {more > 0 ? <li>{words.leftWords.more(more)}</li> : null}
      </ul>
    </section>
  );
}
