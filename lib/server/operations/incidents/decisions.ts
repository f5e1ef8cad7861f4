import { Failure } from "@/lib/contracts/failure";
import { Acknowledgement, Note, OwnerChange, type Incident } from "@/lib/contracts/incidents";
import { invalid, notValid } from "@/lib/server/http/query";
import type { Act, IncidentAct } from "@/lib/server/store/incidents/incident-acts";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { storableMs } from "@/lib/server/store/storable";
import { acknowledgementOf, ownerOf, type IncidentsRuntime } from "./incident-view";
import { HAS_ENDED } from "./words";

/**
 * What people can do about an incident, decided on its state within the transaction.
 * @returns null: nothing would change
 * @throws Failure `conflict` when it has ended and the act needs an open one
 */
type Decision = (before: IncidentRow) => IncidentAct | null;

/** Maximum length of an acknowledgement with an end, and of an absence. */
const LONGEST_MS = 366 * 24 * 3_600_000;

/** Replaces an earlier acknowledgement; a repeat changes nothing. @throws Failure `invalid_request` */
export function acknowledging(body: unknown, act: Act): Decision {
  const parsed = Acknowledgement.safeParse(body ?? {});
  if (!parsed.success) throw notValid(parsed.error);
  const note = parsed.data.note === "" ? null : parsed.data.note;
  const until = parsed.data.until === null ? null : untilOf(parsed.data.until, act.nowMs);
  return (before) => {
    refuseEnded(before);
    const stands = acknowledgementOf(before, act.nowMs, act.person.id);
    const isSaid = stands?.is_you === true && stands.until === (until?.toISOString() ?? null);
    if (isSaid && note === null) return null;
    return {
      kind: "acknowledged",
      action: "acknowledge",
      set: {
        acknowledgedById: act.person.id,
        acknowledgedAt: stands?.is_you === true ? new Date(stands.at) : new Date(act.nowMs),
        acknowledgedUntil: until,
      },
      text: note,
      detail: { until: until?.toISOString() ?? null },
    };
  };
}

/**
 * Acknowledges what no one has acknowledged yet; otherwise nothing changes.
 * @param onTaken gets who did before
 */
export function claiming(act: Act, onTaken: (by: Acknowledged) => void): Decision {
  const acknowledge = acknowledging(null, act);
  return (before) => {
    refuseEnded(before);
    const stands = acknowledgementOf(before, act.nowMs, act.person.id);
    if (stands === null) return acknowledge(before);
    onTaken(stands);
    return null;
  };
}

/** Who acknowledged an incident. */
export type Acknowledged = Pick<NonNullable<Incident["acknowledged"]>, "by" | "is_you">;

export function unacknowledging(act: Act): Decision {
  return (before) => {
    refuseEnded(before);
    if (acknowledgementOf(before, act.nowMs, act.person.id) === null) return null;
    const set = { acknowledgedById: null, acknowledgedAt: null, acknowledgedUntil: null };
    return { kind: "unacknowledged", action: "unacknowledge", set };
  };
}

/** The person whom a request names as owner; null: the administrators. @throws Failure `invalid_request` */
export function ownerIn(body: unknown): string | null {
  const parsed = OwnerChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  return parsed.data.person;
}

/** @param owner null: the administrators */
export function owning(
  { auth }: Pick<IncidentsRuntime, "auth">,
  owner: { id: string; name: string } | null,
  act: Act,
): Decision {
  return (before) => {
    refuseEnded(before);
    const previous = ownerOf(auth, before, act.nowMs);
    if (owner?.id === previous?.id && before.lentUntil === null) return null;
    return {
      kind: "owned",
      action: "own",
      set: {
        ownerId: owner?.id ?? null,
        ownerSince: new Date(act.nowMs),
        lentById: null,
        lentUntil: null,
      },
      detail: { owner: named(owner), previous_owner: named(previous) },
      because: `to ${owner?.name ?? "the administrators"}`,
    };
  };
}

/**
 * Also to an incident that has ended, which no channel follows any more.
 * @throws Failure `invalid_request`
 */
export function noting(body: unknown): Decision {
  const parsed = Note.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { text, told_customer, to_channels } = parsed.data;
  return (before) => {
    if (to_channels) refuseEnded(before);
    return {
      kind: "noted",
      action: "note",
      text,
      detail: { told_customer, ...(to_channels && { to_channels }) },
      ...(told_customer && { because: "told the customer" }),
    };
  };
}

/** @throws Failure `conflict` */
export function refuseEnded({ endedAt }: IncidentRow): void {
  if (endedAt !== null) throw new Failure("conflict", HAS_ENDED);
}

/**
 * The end of an acknowledgement or absence.
 * @param nowMs our clock, epoch milliseconds
 * @throws Failure `invalid_request`
 */
export function untilOf(given: string, nowMs: number): Date {
  const ms = storableMs(given);
  if (ms === null || ms <= nowMs || ms > nowMs + LONGEST_MS)
    throw invalid("until", "must be an ISO 8601 time in the future, at most a year ahead");
  return new Date(ms);
}

function named(person: { id: string; name: string } | null): { id: string; name: string } | null {
  return person === null ? null : { id: person.id, name: person.name };
}
