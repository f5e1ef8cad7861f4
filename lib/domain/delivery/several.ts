import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { IncidentEnding, Trouble } from "@/lib/domain/incidents/incident";
import type { HostReason } from "./plan-host";

/**
 * A customer, or of `limited` a partner, that a message about several is about. Instants are epoch milliseconds on the
 * axis that all companies share.
 */
export type OneOfSeveral = {
  /** Slug. */
  company: string;
  /** As people read it. */
  name: string;
  /** Of the company that it names; absent: it has none, or names a partner. */
  external_id?: string | undefined;
  /** Null: it is about a company that can't be seen. */
  incidentId: number | null;
  verdict: Trouble | null;
  sinceMs: number;
  /** Null: it lasts. */
  endedMs: number | null;
  ending: IncidentEnding | null;
  /** Of `eased`: by their learned weeks, its feeds rest at this time. */
  isResting?: boolean;
  /** Whether the destination's messages about several didn't tell of it before. */
  isNew: boolean;
  /** Whether it ended since the last of them. */
  hasEndedSince: boolean;
  acknowledgedBy: string | null;
};

/** What a message about several tells: enough to write it again for a person who may see fewer of its companies. */
export type Several = {
  about:
    | { kind: "partner"; partner: string; fleetId: string }
    | { kind: "limited"; company: CompanyName }
    | { kind: "host"; host: string; reason: HostReason };
  tells: "opened" | "changed" | "ended";
  all: readonly OneOfSeveral[];
  dueMs: number;
  /** When it is written, and the zone of its times, an IANA name. */
  writtenMs: number;
  timeZone: string;
};
