"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useZone } from "@/components/shell/time/zone";
import { Pager } from "@/components/list/pager";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { connectionsQuery } from "@/lib/client/queries/connections";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { ConnectionsView as View, ConnectionView } from "@/lib/contracts/connections";
import { confidenceNow } from "@/lib/domain/confidence";
import { moment } from "@/lib/domain/words/format";
import { foldText } from "@/lib/domain/text/fold-text";
import { ConnectionList } from "./connection-list";
import {
  SEARCH,
  WHICH,
  allChoice,
  headline,
  hostSentence,
  leftWords,
  noConnections,
  noMatches,
  notRefreshed,
  pageWords,
  problemsChoice,
  refusedFile,
  sourceLine,
  subline,
} from "./words";
import "@/components/ui/page.css";
import "@/components/resource/resource.css";
import "./connections.css";

const PER_PAGE = 40;
/** More problems of a file than these are a number. */
const MOST_PROBLEMS = 8;
const MOST_HOSTS = 5;
const MOST_LEFT = 50;

type Which = "all" | "problems";

/**
 * How Plumbline reads each company.
 * @param first what the server says with the page, at `firstMs` on its clock
 */
export function ConnectionsView({ first, firstMs }: { first: View; firstMs: number }) {
  const timeZone = useZone();
  const clock = useServerClock();
  const { data: answer, isError } = useQuery(connectionsQuery(clock));
  const isNewer = answer !== undefined && answer.receivedMs >= firstMs;
  const { data, meta } = isNewer ? answer.view : first;
  const asOfMs = isNewer ? answer.receivedMs : firstMs;
  const [typed, setTyped] = useState("");
  const [which, setWhich] = useState<Which>("all");
  const [page, setPage] = useState(1);
  const sought = useDeferredValue(typed);

  const ranks = useNow((nowMs) => ranksOf(data, nowMs), sameNumbers);
  const troubled = ranks.filter((rank) => rank < WELL).length;
  const title = headline(data.length, ranks.filter((rank) => rank === BLIND).length);
  const sub = subline({
    delayed: ranks.filter((rank) => rank === DELAYED).length,
    failing: ranks.filter((rank) => rank === FAILING).length,
  });
  const hosts = useMemo(() => hostsOf(data), [data]);
  const source = useNow((nowMs) =>
    sourceLine(meta, { companies: data.length, hosts: hosts.length }, { nowMs, timeZone }),
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
  // Nothing moves under a pointer or a focus, unless it was looked for.
  const held = useFrozenOrder(order, `${which} ${sought} ${data.length}`, isInteracting);
  const bySlug = useMemo(() => new Map(data.map((one) => [one.slug, one])), [data]);
  const pages = Math.max(1, Math.ceil(held.length / PER_PAGE));
  const shownPage = Math.min(page, pages);
  const shown = held
    .slice((shownPage - 1) * PER_PAGE, shownPage * PER_PAGE)
    .flatMap((slug) => bySlug.get(slug) ?? []);

  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">{title}</h1>
          <p className="mt-0.5 text-ink-2 empty:hidden">{sub}</p>
        </div>
      </header>
      <Refused file={meta.file} />
      <div className="settings-tools connections-tools">
        <SearchField
          maxLength={SEARCH_CHARACTERS}
          label={SEARCH}
          value={typed}
          onType={(text) => {
            setTyped(text);
            setPage(1);
          }}
          className="settings-search"
        />
        <Segmented
          label={WHICH}
          value={which}
          options={[
            { value: "all", label: allChoice(data.length) },
            { value: "problems", label: problemsChoice(troubled) },
          ]}
          onChange={(value) => {
            setWhich(value);
            setPage(1);
          }}
        />
        <p className="connections-source">{isError ? <Silent asOfMs={asOfMs} /> : source}</p>
      </div>
      {data.length === 0 ? (
        <Empty title={noConnections.title}>{noConnections.sentence}</Empty>
      ) : shown.length === 0 ? (
        <Empty
          title={noMatches.title}
          action={
            <Button
              onClick={() => {
                setTyped("");
                setWhich("all");
              }}
            >
              {noMatches.show}
            </Button>
          }
        >
          {noMatches.sentence}
        </Empty>
      ) : (
        <div {...handlers}>
          <ConnectionList connections={shown} />
        </div>
      )}
      {pages === 1 ? null : (
        <Pager
          words={pageWords}
          page={shownPage}
          pages={pages}
          total={held.length}
          onPage={setPage}
        />
      )}
      <Hosts hosts={hosts} meta={meta} />
      <Left left={meta.left} />
    </>
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

/** Why the present content of the file is not in use. */
function Refused({ file }: { file: View["meta"]["file"] }) {
  const timeZone = useZone();
  const refused = file?.refused ?? null;
  const since = useNow((nowMs) =>
    refused === null ? "" : refusedFile.when(Date.parse(refused.since), { nowMs, timeZone }),
  );
  if (refused === null) return null;
  const more = refused.problems.length - MOST_PROBLEMS;
  return (
    <div role="alert" className="connections-refused">
      <p>
        <strong>{refusedFile.lead(since)}</strong> {refusedFile.rest}
      </p>
      <ul>
        {refused.problems.slice(0, MOST_PROBLEMS).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
        {more > 0 ? <li>{refusedFile.more(more)}</li> : null}
      </ul>
    </div>
  );
}

function Silent({ asOfMs }: { asOfMs: number }) {
  const timeZone = useZone();
  const since = useNow((nowMs) => moment(asOfMs, nowMs, timeZone));
  return <>{notRefreshed(since)}</>;
}

/** What those of one host share. */
function Hosts({ hosts, meta }: { hosts: readonly Host[]; meta: View["meta"] }) {
  const shared = hosts.filter(({ companies }) => companies > 1).slice(0, MOST_HOSTS);
  const limits = {
    requests: meta.requests_per_minute,
    tokens: meta.token_requests_per_minute,
  };
  return shared.map(({ host, companies }) => (
    <p key={host} className="connections-note">
      <b>{host}</b> {hostSentence(companies, limits)}
    </p>
  ));
}

/** Companies that have a record and no connection. */
function Left({ left }: { left: View["meta"]["left"] }) {
  if (left.length === 0) return null;
  const more = left.length - MOST_LEFT;
  return (
    <section className="panel connections-left" aria-labelledby="left-title">
      <header>
        <h2 id="left-title">{leftWords.title(left.length)}</h2>
        <p>{leftWords.intro}</p>
      </header>
      <ul>
        {left.slice(0, MOST_LEFT).map(({ slug, name, left_at: at }) => (
          <li key={slug}>
            <Link href={`/${slug}`} dir="auto">
              {name}
            </Link>
            <LeftSince at={at} />
          </li>
        ))}
        {more > 0 ? <li>{leftWords.more(more)}</li> : null}
      </ul>
    </section>
  );
}

function LeftSince({ at }: { at: string | null }) {
  const timeZone = useZone();
  const text = useNow((nowMs) =>
    leftWords.since(at === null ? null : moment(Date.parse(at), nowMs, timeZone)),
  );
  return <span>{text}</span>;
}
