import { tallyPromises } from "@/lib/domain/deadlines/promise-tally";
import { promiseRank } from "@/lib/domain/deadlines/row-promise";
import { judge, momentOf } from "@/lib/domain/judge";
import { isProblem, totalOf } from "@/lib/domain/order";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { compareText } from "@/lib/domain/text/compare-text";
import { hasDate } from "@/lib/domain/time/calendar";
import { zoneName } from "@/lib/domain/time/zone-name";
import { compareVerdicts, tally } from "@/lib/domain/verdict";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { clockTimeWithSeconds } from "@/lib/domain/words/format";
import { dotField, type DotField } from "./dot-field";
import { createFleetFold, plannedQuiet, type Fleet, type FoldFleet } from "@/lib/client/wall/fleet";
import {
  fleetAttention,
  fleetMain,
  fleetPromises,
  restOf,
  type FleetMain,
  type FleetRest,
} from "./fleet-main";
import { fitted } from "./fit-row";
import { moreOfProblems, moreOfUnknown, type MoreLine } from "./more-line";
import { problemRow, type Judged, type ProblemRow } from "./problem";
import { hasNotes, type Scene } from "./scene";
import {
  ATTEMPTS_WIDTH_U,
  PORTRAIT_TILES_U,
  TALLEST_ROW_U,
  contentWidthU,
  portraitTilesU,
  rowCapacity,
  rowsHeightU,
  rowsWidthU,
  wallSpace,
  type WallSize,
  type WallSpace,
} from "./layout/space";
import { textWidthEm } from "./layout/text-width";
import { tilesOf, type Tile } from "./tiles";
import {
  bandOf,
  fleetFootOf,
  footOf,
  trustOf,
  worstState,
  type Band,
  type Foot,
  type ScreenTime,
  type Trust,
  type WallCompany,
} from "./trust";
import {
  attentionText,
  calmHeadline,
  emptyNotice,
  nearestToDue,
  titleOf,
  unreadNotice,
  type Notice,
} from "./headlines";
import { attentionWords, fleetWords, namesText } from "./words";

/**
 * Everything that a wall shows at one moment: texts and counts, laid out, with no decisions left to
 * rendering.
 */
export type WallModel = {
  shape: WallSpace["shape"];
  /** Of the whole picture; a part may have a worse state and shows it. */
  state: Trust["state"];
  title: string;
  /** "9 of 60 need attention"; empty while unknown. */
  attention: string;
  /** Null while unknown: a zero would be a claim. */
  scores: readonly { word: Verdict; label: string; count: number }[] | null;
  /** Whether the scores are current, delayed, or the last known ones. */
  scoresAre: "now" | "behind" | "past";
  clock: { time: string; seconds: string; zone: string; instant: string };
  band: Band | null;
  main: WallMain;
  foot: Foot;
};

type WallMain =
  | Notice
  | FleetMain
  | {
      kind: "calm";
      headline: string;
      /** Size of the headline, u. */
      headlineU: number;
      nearest: { partner: string; endpoint: string; ahead: string } | null;
      isFrozen: boolean;
      field: DotField | null;
      tiles: readonly Tile[];
      tileColumns: number;
      /** Height of the tiles, u. */
      tilesU: number;
      more: MoreLine | null;
      /** Of several companies, in place of `more`. */
      rest: FleetRest | null;
    }
  | {
      kind: "problems";
      rows: readonly ProblemRow[];
      field: DotField | null;
      tiles: readonly Tile[];
      tileColumns: number;
      /** Height of the tiles, u; null: as high as their area. */
      tilesU: number | null;
      more: MoreLine | null;
    };

type Given = ScreenTime & {
  /** Several: lines of trouble instead of feeds; see `FleetMain`. */
  companies: readonly WallCompany[];
  /** Of the display; null: viewed by a person. */
  name?: string | null;
  /** From `createFleetFold`, kept by a screen that is drawn every second. */
  fold?: FoldFleet;
  /** Configured companies that are no longer polled; default none. */
  left?: readonly { name: string }[] | undefined;
  /** IANA name. */
  timeZone: string;
  layout: "auto" | "landscape" | "portrait";
  /** Null when unknown: 16:9. */
  size: WallSize | null;
};

/**
 * The picture at a moment. Pure: equal on the server and on the screen. Call it every second, so
 * that verdicts and confidence age by the screen's own clock even without responses.
 */
export function wallModel({
  companies,
  name = null,
  fold = createFleetFold(),
  left = [],
  nowMs,
  isTimeCertain,
  timeZone,
  layout,
  size,
}: Given): WallModel {
  const gone = left.map((company) => company.name);
  const when = { nowMs, timeZone };
  const space = wallSpace(layout, size);
  const trusts = companies.map((company) => trustOf(company, { nowMs, isTimeCertain }));
  // Blind companies aren't counted, unless all are blind.
  const seen = trusts.filter(({ state }) => state === "live" || state === "delayed");
  const counted = seen.length > 0 ? seen : trusts.filter(({ asOfMs }) => asOfMs !== null);
  const fleet = trusts.length > 1 && counted.length > 0 ? fold(trusts, nowMs) : null;
  // A thousand rows take a while: only some pictures need them all.
  const isByLine = fleet !== null && fleet.today.lines.length > MAX_ROWS_WITH_FIELD;
  const judged = isByLine ? [] : worstFirst(trusts.flatMap((trust) => judgedRows(trust, nowMs)));
  const counts = fleet?.counts ?? countsOf(judged, counted);
  const isMostlyBlind = trusts.filter(({ state }) => state === "blind").length * 2 >= trusts.length;
  const band = isMostlyBlind ? bandOf(trusts, when) : null;
  const time = clockTimeWithSeconds(nowMs, timeZone);
  const hasCounts = totalOf(counts) > 0;
  const leftText = hasCounts ? attentionWords.left : attentionWords.onlyLeft;
  // If none is shown, the notice says so.
  const without =
    gone.length === 0 || trusts.length === 0 ? "" : leftText(namesText(gone), gone.length);
  const said =
    fleet === null
      ? attentionText(counts, counted, trusts, when)
      : fleetAttention(fleet, { trusts, counted, when });
  const promises = attentionWords.promises(
    fleet === null ? promisesOf(seen) : fleetPromises(fleet),
  );
  const attention = hasCounts ? `${said}${promises}${without}` : without;
  const scene = {
    gone,
    trusts,
    counted,
    seen,
    judged,
    counts,
    space,
    hasBand: band !== null,
    when,
  };
  return {
    shape: space.shape,
    state: worstState(trusts),
    title: fleet === null ? titleOf(trusts, attention, space) : (name ?? fleetWords.title),
    attention,
    scores: !hasCounts
      ? null
      : VERDICTS.map((word) => ({ word, label: VERDICT_LABEL[word], count: counts[word] })),
    scoresAre:
      seen.length === 0 ? "past" : seen.some(({ state }) => state === "delayed") ? "behind" : "now",
    clock: {
      time: time.slice(0, 5),
      seconds: time.slice(5),
      zone: hasDate(nowMs) ? zoneName(nowMs, timeZone) : "",
      instant: Number.isNaN(new Date(nowMs).getTime()) ? "" : new Date(nowMs).toISOString(),
    },
    band,
    main: mainOf(scene, fleet),
    foot: fleet === null || band !== null ? footOf(trusts, when) : fleetFootOf(trusts, seen, when),
  };
}

/** Of the companies that are seen: how others stand isn't known. */
function promisesOf(seen: readonly Trust[]) {
  const tallies = seen.map(({ company }) => tallyPromises(company.view?.rows ?? []));
  return {
    missed: tallies.reduce((sum, { missed }) => sum + missed, 0),
    atRisk: tallies.reduce((sum, { atRisk }) => sum + atRisk, 0),
  };
}

function countsOf(judged: readonly Judged[], counted: readonly Trust[]) {
  const slugs = new Set(counted.map(({ company }) => company.slug));
  return tally(
    judged.filter(({ company }) => slugs.has(company.slug)).map(({ judgement }) => judgement.word),
  );
}

function judgedRows({ company, state, asOfMs }: Trust, nowMs: number): Judged[] {
  const { view } = company;
  if (view === null || asOfMs === null || state === "starting") return [];
  const at = momentOf(view, nowMs);
  const onIt = new Map(
    (company.incidents?.open ?? []).flatMap(({ members, acknowledged }) =>
      acknowledged === null
        ? []
        : members.map(({ endpoint_id: id }) => [id, { name: acknowledged.by }] as const),
    ),
  );
  const isQuiet = plannedQuiet(company.incidents);
  return view.rows.map((row) => ({
    row,
    judgement: judge(row, at),
    atMs: at.atMs,
    company,
    asOfMs,
    isFrozen: at.isFrozen,
    onIt: onIt.get(row.id) ?? null,
    isQuiet: !at.isFrozen && isQuiet({ id: row.id, partner: row.partner_name }),
  }));
}

/**
 * Visible companies before blind ones; then what is neither acknowledged nor in planned quiet; then by verdict, missed
 * promises and those at risk, lateness and name.
 */
function worstFirst(judged: readonly Judged[]): readonly Judged[] {
  const lateness = ({ judgement }: Judged) => judgement.terms.latenessMs ?? -Infinity;
  // Both only affect the order of problems.
  const isInHand = ({ onIt, isQuiet, judgement }: Judged) =>
    (onIt !== null || isQuiet) && isProblem(judgement.word);
  return judged.toSorted(
    (a, b) =>
      Number(a.isFrozen) - Number(b.isFrozen) ||
      Number(!isProblem(a.judgement.word)) - Number(!isProblem(b.judgement.word)) ||
      Number(isInHand(a)) - Number(isInHand(b)) ||
      compareVerdicts(a.judgement.word, b.judgement.word) ||
      promiseRank(a.row.promise) - promiseRank(b.row.promise) ||
      (lateness(b) === lateness(a) ? 0 : lateness(b) - lateness(a)) ||
      compareText(a.company.name, b.company.name) ||
      compareText(a.row.partner_name, b.row.partner_name) ||
      compareText(a.row.endpoint_key, b.row.endpoint_key) ||
      compareText(a.row.id, b.row.id),
  );
}

function mainOf(scene: Scene, fleet: Fleet | null): WallMain {
  const { judged, trusts, counted, counts } = scene;
  if (counted.length === 0) return unreadNotice(trusts, scene.gone);
  if (fleet !== null && fleet.today.lines.length > 0)
    return fleetMain(fleet, scene, (rows) => fleetField(rows, scene));
  if (fleet !== null) return totalOf(counts) === 0 ? emptyNotice(scene) : calmMain(scene, fleet);
  const problems = judged.filter(({ judgement }) => isProblem(judgement.word));
  if (problems.length > 0) return problemsMain(problems, scene);
  if (totalOf(counts) === 0) return emptyNotice(scene);
  return calmMain(scene, null);
}

/** With more rows at full height, the field doesn't fit. */
const MAX_ROWS_WITH_FIELD = 3;
const FIELD_LABELS_U = 8;
const MIN_FIELD_U = 10;

function problemsMain(problems: readonly Judged[], scene: Scene): WallMain {
  const { space, hasBand, when, judged } = scene;
  const isUpright = space.shape === "portrait";
  const unknown = judged.filter(({ judgement }) => judgement.word === "unknown");
  const first = rowsBeside(PORTRAIT_TILES_U);
  // Smaller tiles leave room for rows, but more rows never add a tile.
  const tilesU = uprightTilesU(scene, tilesOf(scene, first.shown));
  const { shown, hasMore } = tilesU === PORTRAIT_TILES_U ? first : rowsBeside(tilesU);
  const others = problems.slice(shown.length);
  const rows = shown.map((problem) => fitted(problemRow(problem, isUpright, when), space));
  const fieldU = rowsHeightU(space, { hasBand, hasMore, tilesU }) - rows.length * TALLEST_ROW_U;
  const hasField = rows.length <= MAX_ROWS_WITH_FIELD && fieldU - FIELD_LABELS_U >= MIN_FIELD_U;
  const field = { widthU: rowsWidthU(space) * GROUND_SHARE, heightU: fieldU - FIELD_LABELS_U };
  return {
    kind: "problems",
    rows,
    field: hasField ? fieldOf(scene, field) : null,
    ...tilesOf(scene, shown),
    tilesU: isUpright ? tilesU : null,
    more: others.length > 0 ? moreOfProblems(others, scene) : moreOfUnknown(unknown, scene),
  };

  function rowsBeside(besideU: number) {
    const roomOf = (isMoreSaid: boolean) =>
      rowCapacity(space, { hasBand, hasMore: isMoreSaid, isNamed: false, tilesU: besideU });
    const isAllInRows = problems.length <= roomOf(unknown.length > 0);
    const isMoreSaid = !isAllInRows || unknown.length > 0;
    return { shown: problems.slice(0, roomOf(isMoreSaid)), hasMore: isMoreSaid };
  }
}

/** Height of the tiles below a portrait picture's rows. */
function uprightTilesU(
  scene: Scene,
  { tiles, tileColumns }: { tiles: readonly Tile[]; tileColumns: number },
): number {
  // The sum of those without a tile is two tiles wide.
  const cells = tiles.reduce((sum, { isTotal }) => sum + (isTotal ? 2 : 1), 0);
  return portraitTilesU(Math.ceil(cells / tileColumns), hasNotes(scene));
}

/** Position of the due line, leaving room on its right for what is just past due. */
const GROUND_SHARE = 0.84;

/** The field below the lines of several companies. */
function fleetField(rows: number, scene: Scene): DotField | null {
  const { space, hasBand } = scene;
  const roomU = rowsHeightU(space, { hasBand, hasMore: true }) - rows * TALLEST_ROW_U;
  const heightU = roomU - FIELD_LABELS_U;
  if (scene.seen.length === 0 || rows > MAX_ROWS_WITH_FIELD || heightU < MIN_FIELD_U) return null;
  return fieldOf(scene, { widthU: rowsWidthU(space, ATTEMPTS_WIDTH_U) * GROUND_SHARE, heightU });
}

function fieldOf(
  { judged, trusts }: Scene,
  room: { widthU: number; heightU: number },
): DotField | null {
  const isHollow = trusts.some(({ state }) => state === "delayed");
  const current = judged.filter(({ isFrozen }) => !isFrozen);
  return dotField(current, { ...room, isHollow });
}

const HERO_U = [9, 7, 5.4] as const;
const HERO_LINE = 1.08;
/** The text above the field may wrap once in a narrow picture. */
const UPRIGHT_HERO_LINES = 2;
/** A line of tiles, and of tiles with a note below their counts. */
const CALM_LINE_U = 11;
const CALM_NOTED_LINE_U = 14.5;
/** The line about the next due endpoint, and the space around it. */
const NEAREST_U = 4.2;
const HERO_SPACE_U = 3.1;

function calmMain(scene: Scene, fleet: Fleet | null): WallMain {
  const { judged, seen, space, hasBand, when } = scene;
  const isFrozen = seen.length === 0;
  const unknown = judged.filter(({ judgement }) => judgement.word === "unknown");
  const headline = calmHeadline(scene);
  const { tiles, tileColumns } = tilesOf(scene, null);
  const isUpright = space.shape === "portrait";
  const textLines = isUpright ? UPRIGHT_HERO_LINES : 1;
  const sizeU = headlineU(headline, space);
  const textU = HERO_SPACE_U + textLines * (sizeU * HERO_LINE + NEAREST_U);
  const lines = tiles.length > tileColumns ? 2 : 1;
  const lineU = hasNotes(scene) ? CALM_NOTED_LINE_U : CALM_LINE_U;
  const uprightU = isFrozen ? PORTRAIT_TILES_U : uprightTilesU(scene, { tiles, tileColumns });
  const tilesU = isUpright ? uprightU : lines * lineU;
  // In portrait the tiles are below.
  const takenU = textU + (isUpright ? 0 : tilesU);
  const rest = fleet === null ? null : restOf([], fleet, when);
  const more = rest === null ? moreOfUnknown(unknown, scene) : null;
  const hasMore = rest !== null || more !== null;
  const heightU = rowsHeightU(space, { hasBand, hasMore, tilesU: uprightU }) - takenU;
  const field = {
    widthU: contentWidthU(space) * GROUND_SHARE,
    heightU: heightU - FIELD_LABELS_U,
  };
  return {
    kind: "calm",
    headline,
    headlineU: sizeU,
    nearest: isFrozen ? null : nearestToDue(judged),
    isFrozen,
    field: isFrozen || field.heightU < MIN_FIELD_U ? null : fieldOf(scene, field),
    tiles,
    tileColumns,
    tilesU,
    more,
    rest,
  };
}

function headlineU(headline: string, space: WallSpace): number {
  // A wrapped line leaves part of its end empty.
  const roomU = contentWidthU(space) * (space.shape === "portrait" ? UPRIGHT_HERO_LINES - 0.3 : 1);
  return HERO_U.find((sizeU) => textWidthEm(headline) * sizeU * 0.95 <= roomU) ?? HERO_U[2];
}
