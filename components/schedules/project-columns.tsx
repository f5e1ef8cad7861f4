import { AgeBar } from "@/components/marks/age-bar";
import { Badge } from "@/components/marks/badge";
import { BaselineMark } from "@/components/marks/baseline-mark";
import { FileName } from "@/components/marks/file-name";
import { When } from "@/components/resource/when";
import type { Column } from "@/components/resource/data-table";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { NamedIntegration } from "@/lib/contracts/schedule-files";
import type { ScheduleProject } from "@/lib/contracts/schedule-projects";
import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { filesPath, schedulePath } from "@/lib/domain/file-address";
import type { Verdict } from "@/lib/domain/sync";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { calendar } from "@/lib/domain/time/calendar";
import { instantMs } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { integrationText, NOT_LINKED_SENTENCE } from "@/lib/domain/words/file-words";
import { dayAndMonth } from "@/lib/domain/words/dates";
import { absoluteTime, date, duration, span } from "@/lib/domain/words/format";
import {
  barLabel,
  baselineWords,
  CANT_TELL,
  daysAway,
  daysBetween,
  expectedOnPhone,
  DUE,
  EXPECTED_UNKNOWN,
  filesText,
  learnedText,
  moreIntegrations,
  nameDialog,
  NO_RHYTHM_NOTE,
  NOT_CHECKED_NOTE,
  notLinkedNote,
  projectColumns as titles,
  rhythmText,
  SO_FAR,
  STATE_LABEL,
  wholeDays,
} from "./project-words";

const LOOK_OF = {
  current: "fresh",
  due: "due",
  behind: "late",
} as const satisfies Record<NonNullable<ScheduleProject["state"]>, Verdict>;
const lookOf = ({ state }: ScheduleProject): Verdict =>
  state === null ? "unknown" : LOOK_OF[state];

/** More are only counted, because rows have two lines. */
const INTEGRATIONS_SHOWN = 2;

/**
 * The columns of the list of projects.
 * @param isWhole every file is indexed; else each figure that depends on it says so
 * @param onName opens the dialog of an integration; null: the person may not name it
 */
export function projectColumns({
  slug,
  timeZone,
  isWhole,
  onName,
}: {
  slug: string;
  timeZone: string;
  isWhole: boolean;
  onName: ((integration: NamedIntegration) => void) | null;
}): readonly Column<ScheduleProject>[] {
  return [
    {
      title: titles.state,
      width: "w-[104px]",
      phone: "3 start",
      className: "overflow-visible",
      cell: (row) => (
        <>
          <span className="-ml-[5px]">
            <Badge
              word={lookOf(row)}
              text={row.state === null ? CANT_TELL : STATE_LABEL[row.state]}
              isFrozen={false}
            />
          </span>
          {isWhole ? null : <small>{SO_FAR}</small>}
        </>
      ),
    },
    {
      title: titles.project,
      width: "w-[150px]",
      phone: "1 start",
      isHeader: true,
      cell: ({ project }) => (
        <Link
          href={filesPath(slug, project)}
          data-project=""
          className="hover:underline"
          title={project?.name}
        >
          <bdi>{inOwnOrder(project?.name ?? "")}</bdi>
        </Link>
      ),
    },
    {
      title: titles.latest,
      phone: "2 start small",
      className: "cut",
      cell: ({ latest, project }) => (
        <>
          <Link
            href={schedulePath(slug, latest.id)}
            title={inOwnOrder(latest.name)}
            className="hover:underline"
          >
            <FileName name={withoutProject(latest.name, project?.name)} />
          </Link>
          <small className="wide">
            <When at={latest.created_at} />
          </small>
        </>
      ),
    },
    {
      title: titles.age,
      width: "w-[84px]",
      phone: "none",
      isNumeric: true,
      cell: (row) => <Age row={row} />,
    },
    {
      title: titles.bar,
      head: <Scale />,
      width: "w-[144px]",
      phone: "4 whole",
      className: "rhythm-bar",
      cell: (row) => <RhythmBar row={row} />,
    },
    {
      title: titles.expected,
      width: "w-[112px]",
      phone: "1 end",
      isNumeric: true,
      cell: (row) => <Expected row={row} timeZone={timeZone} />,
    },
    {
      title: titles.rhythm,
      width: "w-[148px]",
      phone: "2 end small",
      cell: (row) => (
        <>
          {rhythmText(row.rhythm_days)}
          <small className="wide">{learnedText(row, isWhole)}</small>
        </>
      ),
    },
    {
      title: titles.baseline,
      width: "w-[184px]",
      phone: "5 start",
      className: "cut",
      cell: (row) => <Baseline row={row} timeZone={timeZone} isWhole={isWhole} />,
    },
    {
      title: titles.files,
      width: "w-[56px]",
      phone: "none",
      isNumeric: true,
      cell: ({ files }) => filesText(files, isWhole),
    },
    {
      title: titles.integration,
      width: "w-[168px]",
      phone: "3 end",
      className: "cut",
      cell: ({ integrations }) => <Integrations integrations={integrations} onName={onName} />,
    },
  ];
}

/** The scale of the bars, in rhythms. */
function Scale() {
  return (
    <span className="age-scale rhythm-scale" aria-hidden="true">
      <span>0</span>
      <span>{DUE}</span>
      <span>2×</span>
      <span>4×</span>
      <span>8×</span>
    </span>
  );
}

function Age({ row: { latest } }: { row: ScheduleProject }) {
  const ms = instantMs(latest.created_at);
  return useNow((nowMs) => (ms === null ? "" : span(Math.max(0, nowMs - ms))));
}

function RhythmBar({ row }: { row: ScheduleProject }) {
  const expectedMs = instantMs(row.expected_at);
  const rhythmMs = (row.rhythm_days ?? 0) * DAY_MS;
  const permille = useNow((nowMs) => {
    const ageMs = expectedMs === null ? null : nowMs - (expectedMs - rhythmMs);
    const bar = dueBarFraction(ageMs, rhythmMs);
    return bar === null ? null : Math.round(bar.fraction * 1000);
  });
  const label = useNow((nowMs) =>
    expectedMs === null
      ? ""
      : barLabel(duration(Math.max(0, nowMs - expectedMs + rhythmMs)), wholeDays(rhythmMs)),
  );
  if (row.state === null || permille === null) {
    return <span className="note">{permille === null ? NO_RHYTHM_NOTE : NOT_CHECKED_NOTE}</span>;
  }
  return (
    <AgeBar
      text={{
        word: lookOf(row),
        barPermille: permille,
        barLabel: label,
        barOverflows: permille === 1000,
      }}
    />
  );
}

function Expected({ row, timeZone }: { row: ScheduleProject; timeZone: string }) {
  const ms = instantMs(row.expected_at);
  const away = useNow((nowMs) => (ms === null ? "" : daysAway(daysBetween(nowMs, ms, timeZone))));
  if (ms === null) return <span className="text-ink-3">{EXPECTED_UNKNOWN}</span>;
  return (
    <>
      <span className="on-phone text-ink-2">{expectedOnPhone} </span>
      <time dateTime={row.expected_at ?? ""} title={absoluteTime(ms, timeZone)}>
        {date(calendar(ms, timeZone))}
      </time>
      <small className="wide">{away}</small>
    </>
  );
}

/** A file's name after that of its project, which the row shows already. */
function withoutProject(name: string, project: string | undefined): string {
  const rest =
    project !== undefined && name.startsWith(`${project} `) ? name.slice(project.length) : "";
  return rest.trim() === "" ? name : rest.trim();
}

function Baseline({
  row: { project, baselines, latest_baseline: latest, latest_baseline_at: at },
  timeZone,
  isWhole,
}: {
  row: ScheduleProject;
  timeZone: string;
  isWhole: boolean;
}) {
  if (baselines === 0) {
    return (
      <>
        <span className="inline-flex items-center gap-1.5 font-strong">
          <svg width="10" height="10" viewBox="0 0 16 16" aria-hidden="true" className="shrink-0">
            <path d="M3 3l10 10M13 3 3 13" fill="none" stroke="currentColor" strokeWidth="1.8" />
          </svg>
          {baselineWords.none(isWhole)}
        </span>
        <small className="wide">{baselineWords.noneNote}</small>
      </>
    );
  }
  const ms = instantMs(at);
  return (
    <>
      <BaselineMark>
        {baselines === 1 && isWhole ? undefined : baselineWords.several(baselines, isWhole)}
      </BaselineMark>
      {latest === null ? null : (
        <small className="wide">
          <bdi title={inOwnOrder(latest.name)}>
            {baselineWords.latest(
              inOwnOrder(withoutProject(latest.name, project?.name)),
              ms === null ? (at ?? "") : dayAndMonth(ms, timeZone),
            )}
          </bdi>
        </small>
      )}
    </>
  );
}

function Integrations({
  integrations,
  onName,
}: {
  integrations: readonly NamedIntegration[];
  onName: ((integration: NamedIntegration) => void) | null;
}) {
  if (integrations.length === 0) {
    return (
      <>
        {integrationText(null, null)}
        <small title={NOT_LINKED_SENTENCE}>{notLinkedNote}</small>
      </>
    );
  }
  const isCut = integrations.length > INTEGRATIONS_SHOWN;
  const shown = isCut ? integrations.slice(0, INTEGRATIONS_SHOWN - 1) : integrations;
  return (
    <>
      {shown.map((integration) => {
        const { partner_token_id: id, name } = integration;
        const text = integrationText(id, name);
        return onName === null ? (
          <span key={id} className="block truncate" title={text}>
            <bdi>{text}</bdi>
          </span>
        ) : (
          <button
            key={id}
            type="button"
            className="name-integration"
            title={nameDialog.open(text)}
            aria-label={nameDialog.open(text)}
            onClick={() => onName(integration)}
          >
            <bdi>{text}</bdi>
          </button>
        );
      })}
      {isCut ? <small>{moreIntegrations(integrations.length - shown.length)}</small> : null}
    </>
  );
}
