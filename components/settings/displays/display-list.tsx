"use client";

import { DataTable, type Column } from "@/components/resource/data-table";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import { MenuButton } from "@/components/ui/menu-button";
import type { MenuItem } from "@/components/ui/menu-item";
import { useNow } from "@/lib/client/use-now";
import type { Display } from "@/lib/contracts/wall";
import {
  displayStatus,
  displayStatusClause,
  endsText,
  needsALook,
  type DisplayStatus,
} from "@/lib/domain/display-status";
import type { Confidence } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, ago, duration, moment } from "@/lib/domain/words/format";
import { factsOf } from "./display-facts";
import type { Company } from "./display-form";
import { actions, listHead, row } from "./words";
import { capital } from "@/lib/domain/text/capital";

/** Actions on a display. */
export type Action = "change" | "reload" | "pairAgain" | "unpair";
type OnAct = (action: Action, display: Display) => void;

/**
 * Displays, one row each.
 * @param label accessible name of the table
 * @param build build of the server
 */
export function DisplayList({
  label,
  displays,
  companies,
  build,
  onAct,
}: {
  label: string;
  displays: readonly Display[];
  companies: readonly Company[];
  build: string;
  onAct: OnAct;
}) {
  const tones = useNow((nowMs) => displays.map((display) => toneOf(display, nowMs)).join());
  return (
    <DataTable
      label={label}
      rowHeight="one-line"
      className="min-w-0!"
      rows={displays}
      keyOf={({ id }) => id}
      toneOf={(display) => (tones.split(",")[displays.indexOf(display)] ?? "") as Tone}
      columns={columnsOf(companies, build, onAct)}
    />
  );
}

type Tone = "off" | "silent" | "";

function toneOf(display: Display, nowMs: number): Tone {
  const status = displayStatus(factsOf(display), nowMs);
  if (isOver(status)) return "off";
  return needsALook(status) ? "silent" : "";
}

const isOver = ({ kind }: DisplayStatus) => kind === "revoked" || kind === "ended";

const WIDE_ONLY = "max-lg:hidden";

function columnsOf(
  companies: readonly Company[],
  build: string,
  onAct: OnAct,
): readonly Column<Display>[] {
  return [
    {
      title: listHead.display,
      width: "w-[20%]",
      phone: "1 start",
      isHeader: true,
      className: "max-md:self-center max-md:text-[14px]",
      cell: ({ name, place }) => (
        <>
          <bdi>{name}</bdi>
          {place === "" ? null : (
            <small>
              <bdi>{place}</bdi>
            </small>
          )}
        </>
      ),
    },
    {
      title: listHead.shows,
      phone: "3 start small",
      className: "is-quiet",
      cell: (display) => companiesText(display, companies),
    },
    {
      title: listHead.status,
      width: "w-[32%]",
      phone: "2 whole",
      cell: (display) => <Status display={display} />,
    },
    {
      title: listHead.lastUpdate,
      width: "w-[108px]",
      phone: "3 end small",
      cell: (display) => <LastUpdate instant={display.last_paint_at} />,
    },
    {
      title: listHead.dataAge,
      width: `w-[96px] ${WIDE_ONLY}`,
      phone: "none",
      className: WIDE_ONLY,
      cell: (display) => <DataAge display={display} />,
    },
    {
      title: listHead.version,
      width: `w-[100px] ${WIDE_ONLY}`,
      phone: "none",
      className: WIDE_ONLY,
      cell: ({ build: own }) =>
        own === null ? null : (
          <span title={row.versions(own, build)}>{own === build ? row.current : row.outdated}</span>
        ),
    },
    {
      title: listHead.actions,
      width: "w-[50px]",
      phone: "1 end",
      isActions: true,
      cell: (display) => <Actions display={display} onAct={onAct} />,
    },
  ];
}

/** Confidence icon by status. */
const ICONS: Readonly<Record<DisplayStatus["kind"], Confidence | null>> = {
  showing: "live",
  behind: "delayed",
  unreported: "blind",
  quiet: "delayed",
  silent: "blind",
  waiting: null,
  never: "blind",
  ended: null,
  revoked: null,
};

/** Age of the data that it showed at its last update. */
function DataAge({
  display: { snapshot_age_seconds: seconds, last_paint_at: at },
}: {
  display: Display;
}) {
  const paintedMs = instantMs(at);
  const age = useNow((nowMs) =>
    seconds === null || paintedMs === null
      ? ""
      : duration(seconds * 1_000 + Math.max(0, nowMs - paintedMs)),
  );
  return age === "" ? null : row.dataAge(age);
}

function Status({ display }: { display: Display }) {
  const timeZone = useZone();
  const facts = factsOf(display);
  const kind = useNow((nowMs) => displayStatus(facts, nowMs).kind);
  const text = useNow((nowMs) => {
    const status = displayStatus(facts, nowMs);
    if (status.kind === "waiting") return row.waiting(display.name);
    const clause = displayStatusClause(status, { nowMs, timeZone });
    return capital(clause);
  });
  const requestedMs = instantMs(display.reload_requested_at);
  const notes = useNow((nowMs) =>
    [
      requestedMs === null || display.revoked_at !== null
        ? ""
        : row.reloadPending(moment(requestedMs, nowMs, timeZone)),
      endsText(facts, { nowMs, timeZone }),
    ]
      .filter(Boolean)
      .join("; "),
  );
  const icon = ICONS[kind];
  return (
    <span className="grid grid-cols-[14px_minmax(0,1fr)] gap-x-2 in-[.is-silent]:font-medium [&>svg]:mt-[3px]">
      {icon === null ? null : <ConfidenceIcon confidence={icon} />}
      <span className="col-start-2">
        {text}
        {notes === "" ? null : <small>{notes}</small>}
      </span>
    </span>
  );
}

function LastUpdate({ instant }: { instant: string | null }) {
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

function Actions({ display, onAct }: { display: Display; onAct: OnAct }) {
  const over = useNow((nowMs) => isOver(displayStatus(factsOf(display), nowMs)));
  const possible: readonly Action[] =
    display.revoked_at !== null
      ? ["pairAgain"]
      : over
        ? ["change", "pairAgain", "unpair"]
        : ["change", "reload", "pairAgain", "unpair"];
  return (
    <MenuButton
      label={actions.label(display.name)}
      items={possible.map((action): MenuItem => ({
        kind: "action",
        key: action,
        label: actions[action],
        onSelect: () => onAct(action, display),
      }))}
      className="inline-grid! size-[30px] place-items-center rounded text-ink-2 hover:bg-ink-wash hover:text-ink aria-expanded:bg-ink-wash aria-expanded:text-ink max-md:size-11"
      align="end"
    >
      <svg width="14" height="4" viewBox="0 0 14 4" aria-hidden="true">
        <path d="M0 .5h3v3H0zM5.5.5h3v3h-3zM11 .5h3v3h-3z" fill="currentColor" />
      </svg>
    </MenuButton>
  );
}

function companiesText({ companies: slugs }: Display, companies: readonly Company[]): string {
  if (slugs === null) return row.allCompanies;
  return slugs
    .map((slug) => companies.find((company) => company.slug === slug)?.name ?? slug)
    .join(", ");
}
