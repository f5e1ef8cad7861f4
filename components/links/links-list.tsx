"use client";

import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { ListTable } from "@/components/ui/list-table";
import { useNow } from "@/lib/client/use-now";
import type { LinkEntry } from "@/lib/contracts/links";
import { partnerPath } from "@/lib/domain/partner-address";
import { absoluteTime, moment } from "@/lib/domain/words/format";
import {
  NOT_YET,
  YOU,
  acts,
  at,
  endWords,
  incidentText,
  listHead,
  sharedText,
  showsText,
} from "./words";

type Act = "extend" | "revoke";
const SOON_MS = 48 * 3_600_000;

/** Share links of a page, one row each. */
export function LinksList({
  links,
  onAct,
}: {
  links: readonly LinkEntry[];
  onAct: (act: Act, link: LinkEntry) => void;
}) {
  return (
    <ListTable
      label={listHead.label}
      className="settings-list links"
      columns={[
        listHead.what,
        listHead.for,
        listHead.asOf,
        listHead.by,
        listHead.made,
        listHead.ends,
        listHead.last,
        listHead.opened,
      ]}
      acts={listHead.acts}
    >
      {links.map((link) => (
        <Row key={link.id} link={link} onAct={onAct} />
      ))}
    </ListTable>
  );
}

function Row({ link, onAct }: { link: LinkEntry; onAct: (act: Act, link: LinkEntry) => void }) {
  const { company, partner, incident, state, made_by: maker } = link;
  const isOver = state === "expired" || state === "revoked";
  return (
    <tr className={isOver ? "is-off" : undefined}>
      <th scope="row" className="link-what">
        <bdi>{partner}</bdi>
        {incident === null ? null : `, ${incidentText(incident)}`} <small>{at(company.name)}</small>
      </th>
      <td className="link-for">
        <bdi>{link.for}</bdi>
      </td>
      <td className="link-shows">{showsText(link)}</td>
      <td className="link-by">
        <bdi>{maker.is_you ? YOU : maker.name}</bdi>
      </td>
      <td className="link-made">
        <When at={link.created_at} />
      </td>
      <td className="link-ends">
        <Ends link={link} />
      </td>
      <td className="link-last">
        {link.last_opened_at === null ? NOT_YET : <When at={link.last_opened_at} />}
      </td>
      <td className="link-opened">{link.opened > 0 ? link.opened : null}</td>
      <td className="link-acts">
        {isOver ? (
          <Link
            href={
              incident === null
                ? partnerPath(company.slug, partner)
                : `/${company.slug}/incidents/${incident}`
            }
            className="settings-act"
            aria-label={acts.of(acts.again, sharedText(link))}
          >
            {acts.again}
          </Link>
        ) : (
          (["extend", "revoke"] as const).map((act) => (
            <button
              key={act}
              type="button"
              className="settings-act"
              aria-label={acts.of(acts[act], sharedText(link))}
              onClick={() => onAct(act, link)}
            >
              {acts[act]}
            </button>
          ))
        )}
      </td>
    </tr>
  );
}

/** "08:12", "Sat 08:44". */
function When({ at: instant }: { at: string }) {
  const timeZone = useZone();
  const ms = Date.parse(instant);
  const words = useNow((nowMs) => moment(ms, nowMs, timeZone));
  return (
    <time dateTime={instant} title={absoluteTime(ms, timeZone)}>
      {words}
    </time>
  );
}

/** When it ends, heavier when that is soon; or when and how it ended. */
function Ends({ link }: { link: LinkEntry }) {
  const timeZone = useZone();
  const { state, expires_at: expiresAt, revoked_at: revokedAt, revoked_by: by } = link;
  const endMs = Date.parse(revokedAt ?? expiresAt);
  const words = useNow((nowMs) => {
    const when = moment(endMs, nowMs, timeZone);
    if (state === "revoked") return endWords.revoked(when, by ?? "");
    return state === "expired" ? endWords.expired(when) : when;
  });
  const isSoon = useNow((nowMs) => state === "open" && endMs - nowMs < SOON_MS);
  return (
    <>
      <time
        dateTime={revokedAt ?? expiresAt}
        title={absoluteTime(endMs, timeZone)}
        className={isSoon ? "font-strong" : undefined}
      >
        {words}
      </time>
      {state === "paused" ? <small>{endWords.paused}</small> : null}
    </>
  );
}
