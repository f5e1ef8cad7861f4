import type { NotChecked, ToolAnswer } from "@/lib/domain/assistants/tool-answer";
import {
  companiesThenTrust,
  companiesTrust,
  type OfUnseen,
} from "@/lib/domain/assistants/trust-words";
import { instantMs, iso, isoOrNull } from "@/lib/domain/time/instant";
import { requestedInstant } from "@/lib/server/operations/history/open-then";
import { idMember } from "@/lib/server/operations/connections/external-id";
import { companyOf } from "@/lib/server/operations/partners/get-partner";
import { currentConfidence, syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { visibleTo } from "@/lib/server/operations/today/get-today";
import { todayOf } from "./today-asked";
import { queryOf, whyUnseen, type ToolContext } from "./tool";

/** How far what is said of several companies can be trusted, and which of them we can't or couldn't see. */
export type CompaniesTrust = Pick<ToolAnswer, "as_of" | "confidence"> & {
  notChecked: (NotChecked & { company: string })[];
};

type Asked = Pick<ToolContext, "runtime" | "person"> & {
  /** What the answer has of companies that aren't seen. */
  ofUnseen: OfUnseen;
};

/** All companies that the person sees, whatever an answer lists of them. @param at ISO 8601; undefined: now */
export function trustInCompanies(
  asked: Asked,
  at: string | undefined,
): CompaniesTrust | Promise<CompaniesTrust> {
  return at === undefined ? companiesNow(asked) : companiesThen(asked, at);
}

/**
 * As of now. `as_of`: the oldest last check of those that we see; of those that we don't, where the answer has their last
 * state and we see none; null: there is no such check.
 */
export function companiesNow({ runtime, person, ofUnseen }: Asked): CompaniesTrust {
  const { companies } = visibleTo(runtime, person);
  const nowMs = runtime.clock.nowMs();
  const notChecked: CompaniesTrust["notChecked"] = [];
  let delayed = 0;
  let oldestMs = Infinity;
  let oldestUnseenMs = Infinity;
  for (const { company, name } of companies) {
    const level = currentConfidence(runtime, company);
    if (level === "blind") {
      const { as_of: since, source } = syncStatusView(runtime, company);
      notChecked.push({
        what: name,
        company,
        ...idMember(runtime.connections, company),
        why: whyUnseen(source.reason, nowMs),
        since,
      });
      oldestUnseenMs = Math.min(oldestUnseenMs, instantMs(since) ?? Infinity);
      continue;
    }
    if (level === "delayed") delayed += 1;
    oldestMs = Math.min(oldestMs, runtime.snapshots.get(company)?.state.asOfMs ?? Infinity);
  }
  const asOfMs = oldestMs === Infinity && ofUnseen === "last seen" ? oldestUnseenMs : oldestMs;
  return {
    as_of: isoOrNull(Number.isFinite(asOfMs) ? asOfMs : null),
    confidence: companiesTrust(
      {
        companies: companies.length,
        unseen: notChecked.length,
        delayed,
        unchecked: withoutCheck(notChecked),
      },
      ofUnseen,
    ),
    notChecked,
  };
}

/** @throws Failure `invalid_request` */
async function companiesThen(
  { runtime, person, ofUnseen }: Asked,
  at: string,
): Promise<CompaniesTrust> {
  // Without a filter, so that it has all companies.
  const { unseen, counts } = await todayOf({ runtime }, { person, at });
  return {
    as_of: iso(requestedInstant(queryOf({ at }))),
    confidence: companiesThenTrust(
      {
        companies: visibleTo(runtime, person).companies.length,
        unseen: unseen.length,
        delayed: counts.delayed,
        unchecked: withoutCheck(unseen),
      },
      ofUnseen,
    ),
    notChecked: unseen.map(({ company, since }) => ({
      what: company.name,
      ...companyOf(company),
      why: since === null ? NOTHING_THEN : UNSEEN_THEN,
      since,
    })),
  };
}

const withoutCheck = (all: readonly { since?: string | null }[]) =>
  all.filter(({ since }) => since === null).length;

const UNSEEN_THEN = "We couldn't see it at that time.";
const NOTHING_THEN = "Nothing is recorded of it at that time.";
