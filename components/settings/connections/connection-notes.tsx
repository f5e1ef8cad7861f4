import { When } from "@/components/resource/when";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { ConnectionsView as View, ConnectionView } from "@/lib/contracts/connections";
import * as words from "./words";

/** More problems of a file are shown as a number. */
const MAX_PROBLEMS = 8;
const MAX_HOSTS = 5;
const MAX_LEFT = 50;

export type Host = { host: string; companies: number };

/** Number of companies per host, the most shared first. */
export function hostsOf(data: readonly ConnectionView[]): Host[] {
  const counts = new Map<string, number>();
  for (const { host } of data) counts.set(host, (counts.get(host) ?? 0) + 1);
  return [...counts]
    .map(([host, companies]) => ({ host, companies }))
    .toSorted((a, b) => b.companies - a.companies);
}

/** Why the file's current content isn't in use. */
export function RefusedFile({ file }: { file: View["meta"]["file"] }) {
  const timeZone = useZone();
  const refused = file?.refused ?? null;
  const since = useNow((nowMs) =>
    refused === null ? "" : words.refusedFile.when(Date.parse(refused.since), { nowMs, timeZone }),
  );
  if (refused === null) return null;
  const more = refused.problems.length - MAX_PROBLEMS;
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
        {refused.problems.slice(0, MAX_PROBLEMS).map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
        {more > 0 ? <li>{words.refusedFile.more(more)}</li> : null}
      </ul>
    </div>
  );
}

/** Limits that connections to one host share. */
export function Hosts({ hosts, meta }: { hosts: readonly Host[]; meta: View["meta"] }) {
  const shared = hosts.filter(({ companies }) => companies > 1).slice(0, MAX_HOSTS);
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

/** How much more this installation can carry. */
export function Capacity({ meta }: { meta: View["meta"] }) {
  return (
    <p className="mt-[18px] text-xs/[18px] text-ink-2 [p+&]:mt-1">
      {words.coreUseSentence(meta.capacity.core_use)}{" "}
      {words.roomSentence(meta.requests_per_minute, meta.capacity.companies_per_minute)}
    </p>
  );
}

/** Companies with a record but no connection. */
export function Left({ left }: { left: View["meta"]["left"] }) {
  if (left.length === 0) return null;
  const more = left.length - MAX_LEFT;
  return (
    <section className="panel mt-6" aria-labelledby="left-title">
      <header>
        <h2 id="left-title">{words.leftWords.title(left.length)}</h2>
        <p>{words.leftWords.intro}</p>
      </header>
      <ul>
        {left.slice(0, MAX_LEFT).map(({ slug, name, left_at: at, can_resume: canResume }) => (
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
            {canResume ? <span className="text-ink-2">{words.leftWords.resume}</span> : null}
          </li>
        ))}
        {more > 0 ? <li>{words.leftWords.more(more)}</li> : null}
      </ul>
    </section>
  );
}
