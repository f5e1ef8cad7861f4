"use client";

import { Link } from "@/components/ui/link";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import type { IncidentView } from "@/lib/contracts/incidents";
import { duration } from "@/lib/domain/words/format";
import { usOrThem } from "@/lib/domain/words/us-or-them";
import { usWords as words } from "./words";
import { capital } from "@/lib/domain/text/capital";

/** Whether the problem looks like ours or theirs, with the evidence. */
export function UsOrThem({ incident }: { incident: IncidentView }) {
  const { evidence, partner_name: partner, company } = incident;
  const { elsewhere, other_partners: others } = evidence;
  const sentence = usOrThem(
    {
      confidence: evidence.confidence,
      inTrouble: evidence.in_trouble,
      rateLimited: evidence.rate_limited,
      endings: incident.members.map(({ ending }) => ending),
      elsewhere: { affected: elsewhere.affected.length, unaffected: elsewhere.unaffected },
      otherPartners: others,
    },
    { partner, company: company.name },
  );
  const findings = [
    elsewhere.affected.length === 0
      ? ""
      : words.affected(elsewhere.affected.map(({ name }) => name).join(", ")),
    elsewhere.unaffected === 0 ? "" : words.unaffected(elsewhere.unaffected),
    elsewhere.not_observed === 0 ? "" : words.notSeen(elsewhere.not_observed),
  ].filter((part) => part !== "");
  const unseen = evidence.not_observed_seconds;
  return (
    <section className="panel" aria-labelledby="us-or-them">
      <header>
        <h2 id="us-or-them">{words.heading}</h2>
      </header>
      <p className="mb-2 text-[14px] leading-[21px]">{sentence}</p>
      <dl className="key-values grid-cols-[118px_minmax(0,1fr)]">
        <dt>{words.checks}</dt>
        <dd>
          {words.confidence[evidence.confidence]}
          {unseen === 0 ? "" : `; ${words.unseen(duration(unseen * 1000))}`}
        </dd>
        <dt>{words.limit}</dt>
        <dd>{words.limited(evidence)}</dd>
        <dt>{words.elsewhere(partner)}</dt>
        <dd>
          {findings.length === 0 ? (
            words.nowhere
          ) : (
            <Link
              href={partnersEverywherePath(partner, null)}
              className="underline decoration-control underline-offset-3"
            >
              {capital(findings.join("; "))}
            </Link>
          )}
        </dd>
        <dt>{words.here}</dt>
        <dd>{words.hereOf(others.affected, others.total)}</dd>
      </dl>
    </section>
  );
}
