"use client";

import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { ListTable } from "@/components/ui/list-table";
import { MenuButton } from "@/components/ui/menu-button";
import type { MenuItem } from "@/components/ui/menu-item";
import { useNow } from "@/lib/client/use-now";
import type { Display } from "@/lib/contracts/wall";
import {
  displayStatus,
  displayStatusClause,
  endsSoonText,
  needsALook,
  type DisplayStatus,
} from "@/lib/domain/display-status";
import { instantMs } from "@/lib/domain/time/instant";
import type { Confidence } from "@/lib/domain/sync";
import { absoluteTime, ago, duration, moment } from "@/lib/domain/words/format";
import { factsOf } from "./display-facts";
import type { Company } from "./display-form";
import { actions, listHead, row } from "./words";

/** What can be done with a display. */
export type Acts = {
  onChange: (display: Display) => void;
  onPairAgain: (display: Display) => void;
  onReload: (display: Display) => void;
  onRevoke: (display: Display) => void;
};

/**
 * Displays, one row each.
 * @param label accessible name of the table
 * @param build the server's
 */
export function DisplayList({
  label,
  displays,
  companies,
  build,
  acts,
}: {
  label: string;
  displays: readonly Display[];
  companies: readonly Company[];
  build: string;
  acts: Acts;
}) {
  return (
    <ListTable
      label={label}
      className="displays"
      columns={[
        listHead.display,
        listHead.shows,
        listHead.status,
        listHead.lastUpdate,
        listHead.dataAge,
        listHead.version,
      ]}
      acts={listHead.actions}
    >
      {displays.map((display) => (
        <Row key={display.id} display={display} companies={companies} build={build} acts={acts} />
      ))}
    </ListTable>
  );
}

function Row({
  display,
  companies,
  build,
  acts,
}: {
  display: Display;
  companies: readonly Company[];
  build: string;
  acts: Acts;
}) {
  const timeZone = useZone();
  const facts = factsOf(display);
  // The words change with the clock, and so does the state behind them.
  const kind = useNow((nowMs) => displayStatus(facts, nowMs).kind);
  const isSilent = useNow((nowMs) => needsALook(displayStatus(facts, nowMs)));
  const stateText = useNow((nowMs) => {
    const status = displayStatus(facts, nowMs);
    if (status.kind === "waiting") return row.waiting(display.name);
    const clause = displayStatusClause(status, { nowMs, timeZone });
    return clause.charAt(0).toUpperCase() + clause.slice(1);
  });
  const endText = useNow((nowMs) => endsSoonText(facts, { nowMs, timeZone }));
  const isOver = kind === "revoked" || kind === "ended";
  const { name, place, snapshot_age_seconds: ageSeconds } = display;
  return (
    <tr className={isOver ? "is-over" : isSilent ? "is-silent" : undefined}>
      <th scope="row" className="display-name">
        <bdi>{name}</bdi>
        {place === "" ? null : (
          <small>
            <bdi>{place}</bdi>
          </small>
        )}
      </th>
      <td className="display-shows">{companiesText(display, companies)}</td>
      <td className="display-state">
        <span>
          {ICONS[kind] === null ? null : <ConfidenceIcon confidence={ICONS[kind]} />}
          <span>
            {stateText}
            <Notes display={display} endText={endText} />
          </span>
        </span>
      </td>
      <td className="display-paint">
        <Paint instant={display.last_paint_at} />
      </td>
      <td className="display-age">
        {ageSeconds === null ? "" : row.dataAge(duration(ageSeconds * 1000))}
      </td>
      <td className="display-build">
        {display.build === null ? (
          ""
        ) : (
          <span title={row.versions(display.build, build)}>
            {display.build === build ? row.current : row.outdated}
          </span>
        )}
      </td>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the button has its own */}
      <td className="display-acts">
        <MenuButton
          label={actions.label(name)}
          items={itemsFor(display, isOver, acts)}
          className="display-menu"
          align="end"
        >
          <svg width="14" height="4" viewBox="0 0 14 4" aria-hidden="true">
            <path d="M0 .5h3v3H0zM5.5.5h3v3h-3zM11 .5h3v3h-3z" fill="currentColor" />
          </svg>
        </MenuButton>
      </td>
    </tr>
  );
}

/** The bars of confidence: it shows what is new, something old, or nobody knows what. */
const ICONS: Readonly<Record<DisplayStatus["kind"], Confidence | null>> = {
  showing: "live",
  behind: "delayed",
  untold: "blind",
  quiet: "delayed",
  silent: "blind",
  waiting: null,
  never: "blind",
  ended: null,
  revoked: null,
};

/** What else is to be said of its state; nothing most of the time. */
function Notes({ display, endText }: { display: Display; endText: string }) {
  const timeZone = useZone();
  const askedMs = instantMs(display.reload_requested_at);
  const isWaiting = askedMs !== null && display.revoked_at === null;
  const reloadText = useNow((nowMs) =>
    isWaiting ? row.reloadPending(moment(askedMs, nowMs, timeZone)) : "",
  );
  const notes = [reloadText, endText].filter(Boolean).join("; ");
  return notes === "" ? null : <small>{notes}</small>;
}

function Paint({ instant }: { instant: string | null }) {
  const timeZone = useZone();
  const ms = instantMs(instant);
  const text = useNow((nowMs) => (ms === null ? "" : ago(Math.max(0, nowMs - ms))));
  return ms === null || instant === null ? (
    row.neverUpdated
  ) : (
    <time dateTime={instant} title={absoluteTime(ms, timeZone)}>
      {text}
    </time>
  );
}

function itemsFor(display: Display, isOver: boolean, acts: Acts): MenuItem[] {
  const item = (key: string, label: string, onSelect: () => void): MenuItem => ({
    kind: "action",
    key,
    label,
    onSelect,
  });
  const again = item("again", actions.pairAgain, () => acts.onPairAgain(display));
  if (display.revoked_at !== null) return [again];
  const change = item("change", actions.change, () => acts.onChange(display));
  const revoke = item("revoke", actions.unpair, () => acts.onRevoke(display));
  if (isOver) return [change, again, revoke];
  return [change, item("reload", actions.reload, () => acts.onReload(display)), again, revoke];
}

function companiesText({ companies: slugs }: Display, companies: readonly Company[]): string {
  if (slugs === null) return row.allCompanies;
  return slugs
    .map((slug) => companies.find((company) => company.slug === slug)?.name ?? slug)
    .join(", ");
}
