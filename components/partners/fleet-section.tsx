"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Badge } from "@/components/marks/badge";
import { calledName, Initials, NO_ONE_YET } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { lazyPart } from "@/components/ui/lazy-part";
import { usePartnerHere } from "./partner-here";
import { statusOf } from "@/lib/client/api";
import { actOnFleet } from "@/lib/client/queries/partners/fleet-acts";
import type { PartnerRow, PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { useNow } from "@/lib/client/use-now";
import { earliest } from "@/lib/domain/partners/partner-at-company";
import { instantMs } from "@/lib/domain/time/instant";
import { duration, moment } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { nextTexts, sameNextTexts } from "@/lib/domain/words/next-sync-text";
import { FleetChart } from "./fleet/fleet-chart";
import { incident as words } from "./fleet/words";

type Fleet = NonNullable<PartnerShown["fleet_incident"]>;
const NoteDialog = lazyPart(() => import("./fleet/note-dialog"));
const OwnerDialog = lazyPart(() => import("./fleet/owner-dialog"));

/** The incident that the partner's companies have in common. */
export function FleetSection({ view, fleet }: { view: PartnerShown; fleet: Fleet }) {
  const { nameOf, frozenMs, mayHandle } = usePartnerHere();
  const { members, open, unseen, isWhole } = membersOf(view, fleet);
  const offsets = view.api_clock_offsets;
  const own = (company: string, at: string | null) => {
    const ms = instantMs(at);
    return ms === null ? null : ms - (offsets[company] ?? 0);
  };
  const attemptsMs =
    frozenMs === null
      ? members.flatMap(({ company, next_sync_at: at }) => own(company, at) ?? [])
      : [];
  const handled = open.filter(({ company }) => mayHandle(company));
  const [worst] = members;
  const steps = fleet.steps.map(({ at, companies }) => ({ atMs: Date.parse(at), companies }));
  const first = firstOf(members, fleet.began_at);
  const person = useFirstPerson(fleet);
  return (
    <section className="pe-fleet" aria-labelledby="fleet">
      <header>
        {worst?.verdict == null ? null : (
          <Badge
            word={worst.verdict}
            text={VERDICT_LABEL[worst.verdict]}
            isFrozen={frozenMs !== null}
          />
        )}
        <h2 id="fleet">{words.heading(open.length)}</h2>
        <Since at={fleet.began_at} frozenMs={frozenMs} />
        {attemptsMs.length === 0 ? null : <Next atMs={earliest(attemptsMs)} />}
        {isWhole ? <Who members={members} /> : null}
        {isWhole ? (
          <span>
            {words.told(members.filter(({ told }) => told !== null).length, members.length)}
          </span>
        ) : null}
        {open.length === fleet.companies.length ? null : (
          <span>{words.left(fleet.companies.length - open.length)}</span>
        )}
        {handled.length === 0 ? null : (
          <Acts
            fleet={fleet}
            partner={view.partner_name}
            companies={handled.map(({ company }) => company)}
            isUntaken={isWhole && members.length > 0 && members.every((one) => one.on_it === null)}
          />
        )}
      </header>
      <FleetChart
        steps={steps}
        attemptsMs={attemptsMs}
        first={first === null ? null : nameOf(first)}
        people={person}
        customers={open.length}
        feeds={isWhole ? members.reduce((sum, { feeds }) => sum + feeds.behind, 0) : null}
        unseen={{
          amount: unseen.length,
          sinceMs: earliest(unseen.map(({ last_check_at: at }) => instantMs(at))),
        }}
        frozenMs={frozenMs}
      />
      <details>
        <summary>{words.timeline(fleet.timeline.length)}</summary>
        <ol aria-label={words.timelineLabel} tabIndex={0}>
          {fleet.timeline.toReversed().map((event, at) => (
            <Event key={`${event.at} ${fleet.timeline.length - at}`} event={event} />
          ))}
        </ol>
      </details>
    </section>
  );
}

/**
 * The companies whose incident is open, and the rows of those that are behind: others have just recovered. `unseen`:
 * rows of those that we can't see.
 * @returns `isWhole`: whether all rows are loaded
 */
function membersOf(view: PartnerShown, fleet: Fleet) {
  const open = fleet.companies.filter(({ state }) => state === "open");
  const slugs = new Set(open.map(({ company }) => company));
  const members = view.trouble.filter(
    ({ company, incident_id: id }) => id !== null && slugs.has(company),
  );
  const unseen = view.trouble.filter(
    ({ company, standing }) => standing === "unseen" && slugs.has(company),
  );
  return { open, members, unseen, isWhole: view.cut.trouble === 0 };
}

/** The company where it began; null: at several at once, or it isn't in trouble any more. */
function firstOf(members: readonly PartnerRow[], beganAt: string): string | null {
  const first = members.filter(({ since }) => since === beganAt);
  return first.length === 1 ? (first[0]?.company ?? null) : null;
}

/** Who acknowledged it first, and when; null: no one, or that was taken back. */
function useFirstPerson({ timeline }: Fleet): { name: string; atMs: number } | null {
  const { me } = usePartnerHere();
  const taken = timeline.findLast(({ kind }) => kind === "unacknowledged");
  const event = timeline.find(
    ({ kind, at }) => kind === "acknowledged" && (taken === undefined || at > taken.at),
  );
  if (event?.by == null) return null;
  const name = calledName({ name: event.by, isYou: event.by === me.name });
  return { name, atMs: Date.parse(event.at) };
}

function Since({ at, frozenMs }: { at: string; frozenMs: number | null }) {
  const timeZone = useZone();
  const ms = Date.parse(at);
  const text = useNow((nowMs) => {
    const atMs = frozenMs ?? nowMs;
    return `${words.since(moment(ms, atMs, timeZone))}, ${duration(Math.max(0, atMs - ms))}`;
  });
  return <span>{text}</span>;
}

function Next({ atMs }: { atMs: number | null }) {
  const timeZone = useZone();
  const text = useNow((nowMs) => nextTexts(atMs, nowMs, timeZone), sameNextTexts);
  return (
    <span>
      {words.next}
      <b>{text.nextIn}</b>
      {text.nextAt === "" ? "" : `, ${text.nextAt}`}
    </span>
  );
}

function Who({ members }: { members: readonly PartnerRow[] }) {
  const { me, frozenMs } = usePartnerHere();
  const timeZone = useZone();
  const taken = members.flatMap(({ on_it: by }) => by ?? []);
  const names = [...new Set(taken.map(({ name }) => name))];
  const [name] = names;
  const sinceMs = earliest(taken.map(({ since }) => Date.parse(since)));
  const since = useNow((nowMs) =>
    sinceMs === null ? "" : words.since(moment(sinceMs, frozenMs ?? nowMs, timeZone)),
  );
  if (name === undefined)
    return (
      <span className="pe-fleet-who">
        <Initials person={null} />
        <b>{NO_ONE_YET}</b>
      </span>
    );
  const person = { name, isYou: name === me.name };
  const said = names.length === 1 ? calledName(person) : words.people(names.length);
  return (
    <span className="pe-fleet-who" title={names.join(", ")}>
      <Initials person={person} />
      <b>{words.on(said, taken.length, members.length)}</b> {since}
    </span>
  );
}

/** @param isUntaken whether no one is on any of it: taking the rest is done customer by customer */
function Acts({
  fleet: { id, partner_name: name },
  partner,
  companies,
  isUntaken,
}: {
  fleet: Fleet;
  partner: string;
  companies: readonly string[];
  isUntaken: boolean;
}) {
  const client = useQueryClient();
  const { setResult } = usePartnerHere();
  const [isBusy, setIsBusy] = useState(false);
  const [asked, setAsked] = useState<"note" | "owner" | null>(null);
  const take = async () => {
    setIsBusy(true);
    try {
      await actOnFleet(client, id, { kind: "acknowledge", until: null, note: "" });
      const undo = () =>
        actOnFleet(client, id, { kind: "unacknowledge" }).then(
          () => null,
          () => words.failed.unacknowledge,
        );
      setResult({ sentence: `${name}: ${words.taken}`, taken: [], undo });
    } catch (error) {
      setResult({ sentence: `${name}: ${problemOf(statusOf(error))}`, taken: [] });
    } finally {
      setIsBusy(false);
    }
  };
  const onClose = () => setAsked(null);
  const given = { id, partner, companies, onClose };
  return (
    <span className="pe-fleet-acts">
      {isUntaken ? (
        <button
          type="button"
          data-act={`${id} untaken`}
          className="pe-solid"
          disabled={isBusy}
          onClick={() => void take()}
        >
          {words.take}
        </button>
      ) : null}
      <button type="button" className="pe-quiet" onClick={() => setAsked("note")}>
        {words.note}
      </button>
      <button type="button" className="pe-quiet" onClick={() => setAsked("owner")}>
        {words.handOver}
      </button>
      <Suspense>
        {asked === "note" ? <NoteDialog {...given} /> : null}
        {asked === "owner" ? <OwnerDialog {...given} /> : null}
      </Suspense>
    </span>
  );
}

function problemOf(status: number): string {
  if (status === 409) return words.ended;
  return status === 403 ? words.forbidden : words.failed.acknowledge;
}

function Event({ event: { at, kind, company, by, text } }: { event: Fleet["timeline"][number] }) {
  const { nameOf, frozenMs } = usePartnerHere();
  const timeZone = useZone();
  const ms = Date.parse(at);
  const time = useNow((nowMs) => moment(ms, frozenMs ?? nowMs, timeZone));
  // A note has no names, what a person did follows theirs, and all else is a whole sentence.
  const isNote = kind === "noted";
  return (
    <li>
      <span className="font-mono">{time}</span>
      <span className="truncate">
        {isNote && company !== null ? <b dir="auto">{nameOf(company)} </b> : null}
        {isNote || by === null ? null : `${calledName({ name: by, isYou: false })} `}
        {text}
        {isNote && by !== null ? ` (${by})` : null}
      </span>
    </li>
  );
}
