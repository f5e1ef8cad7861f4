import { judge, needsAttention, type Counts } from "@/components/grid/board";
import { momentOf } from "@/components/grid/moment";
import { compareText } from "@/lib/domain/compare-text";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { compareVerdicts, tally } from "@/lib/domain/verdict";
import {
  VERDICT_LABEL,
  clockTimeWithSeconds,
  count,
  counted,
  duration,
  moment,
} from "@/lib/domain/wording";
import { dotField, type DotField } from "./dot-field";
import {
  isProblem,
  moreItem,
  problemRow,
  type Judged,
  type MoreItem,
  type ProblemRow,
} from "./problem";
import {
  MORE_LINES,
  PORTRAIT_TILES_U,
  TALLEST_ROW_U,
  portraitTilesU,
  TILES_WIDTH_U,
  contentWidthU,
  rowCapacity,
  rowsHeightU,
  rowsWidthU,
  wallSpace,
  type WallSize,
  type WallSpace,
} from "./space";
import { fitCount, textWidthEm } from "./text-width";
import { companyTiles, partnerTiles, type Tile } from "./tiles";
import {
  bandOf,
  footOf,
  nameThem,
  oldestReadMs,
  trustOf,
  worstState,
  type Band,
  type Foot,
  type Trust,
  type WallCompany,
} from "./trust";

/** All that a wall shows at one moment: texts and counts, laid out, nothing left to decide. */
export type WallModel = {
  shape: WallSpace["shape"];
  /** Of the whole picture; a part may be worse known than another and says so itself. */
  state: Trust["state"];
  title: string;
  /** "9 of 60 need attention"; empty while nothing is known. */
  attention: string;
  /** Null while nothing is known: a zero would be a claim. */
  scores: readonly { word: Verdict; label: string; count: number }[] | null;
  /** How the scores are to be read: now, behind, or as they were. */
  scoresAre: "now" | "behind" | "past";
  clock: { time: string; seconds: string; instant: string };
  band: Band | null;
  main: WallMain;
  foot: Foot;
};

type WallMain =
  | { kind: "notice"; headline: string; detail: string }
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
    }
  | {
      kind: "problems";
      rows: readonly ProblemRow[];
      field: DotField | null;
      tiles: readonly Tile[];
      tileColumns: number;
      /** How high the tiles are, u; null: as high as their place. */
      tilesU: number | null;
      more: MoreLine | null;
    };

/** What has no row of its own, by name. */
export type MoreLine = {
  lead: string;
  items: readonly MoreItem[];
  /** "and 4 more"; empty when all are named. */
  tail: string;
  /** The room that the tail takes, u. */
  tailU: number;
};

type Given = {
  companies: readonly WallCompany[];
  /** The server's clock as the screen keeps it, epoch ms. */
  nowMs: number;
  /** IANA name. */
  timeZone: string;
  layout: "auto" | "landscape" | "portrait";
  /** Null when not known: 16:9. */
  size: WallSize | null;
};

/**
 * The picture at a moment. Pure: the same on the server and on the screen. Ask again each second, so that
 * verdicts and confidence age by the screen's own clock even when no answer ever comes again.
 */
export function wallModel({ companies, nowMs, timeZone, layout, size }: Given): WallModel {
  const when = { nowMs, timeZone };
  const space = wallSpace(layout, size);
  const trusts = companies.map((company) => trustOf(company, nowMs));
  const judged = worstFirst(trusts.flatMap((trust) => judgedRows(trust, nowMs)));
  // What we do not see is not counted as if we saw it, unless there is nothing else.
  const seen = trusts.filter(({ state }) => state === "live" || state === "delayed");
  const told = seen.length > 0 ? seen : trusts.filter(({ asOfMs }) => asOfMs !== null);
  const slugs = new Set(told.map(({ company }) => company.slug));
  const counts = tally(
    judged.filter(({ company }) => slugs.has(company.slug)).map(({ judgement }) => judgement.word),
  );
  const band = bandOf(trusts, when);
  const time = clockTimeWithSeconds(nowMs, timeZone);
  const hasCounts = totalOf(counts) > 0;
  const attention = hasCounts ? attentionText(counts, told, trusts, when) : "";
  return {
    shape: space.shape,
    state: worstState(trusts),
    title: titleOf(trusts, attention, space),
    attention,
    scores: !hasCounts
      ? null
      : VERDICTS.map((word) => ({ word, label: VERDICT_LABEL[word], count: counts[word] })),
    scoresAre:
      seen.length === 0 ? "past" : seen.some(({ state }) => state === "delayed") ? "behind" : "now",
    clock: {
      time: time.slice(0, 5),
      seconds: time.slice(5),
      instant: Number.isNaN(new Date(nowMs).getTime()) ? "" : new Date(nowMs).toISOString(),
    },
    band,
    main: mainOf({ trusts, told, seen, judged, counts, space, hasBand: band !== null, when }),
    foot: footOf(trusts, when),
  };
}

function judgedRows({ company, state, asOfMs }: Trust, nowMs: number): Judged[] {
  const { view } = company;
  if (view === null || asOfMs === null || state === "starting") return [];
  const at = momentOf(view, nowMs);
  return view.rows.map((row) => ({
    row,
    judgement: judge(row, at),
    atMs: at.atMs,
    company,
    asOfMs,
    isFrozen: at.isFrozen,
  }));
}

/** What we see before what we only saw; then the worst word; then the most overdue; then by name. */
function worstFirst(judged: readonly Judged[]): readonly Judged[] {
  const lateness = ({ judgement }: Judged) => judgement.terms.latenessMs ?? -Infinity;
  return judged.toSorted(
    (a, b) =>
      Number(a.isFrozen) - Number(b.isFrozen) ||
      compareVerdicts(a.judgement.word, b.judgement.word) ||
      (lateness(b) === lateness(a) ? 0 : lateness(b) - lateness(a)) ||
      compareText(a.company.name, b.company.name) ||
      compareText(a.row.partner_name, b.row.partner_name) ||
      compareText(a.row.endpoint_key, b.row.endpoint_key) ||
      compareText(a.row.id, b.row.id),
  );
}

// The head

const TITLE_U = 3.2;
const TITLE_GAP_U = 2.4;
const CLOCK_U = 46;

function titleOf(trusts: readonly Trust[], attention: string, space: WallSpace): string {
  const names = trusts.map(({ company }) => company.name);
  if (names.length === 0) return "Plumbline";
  const joined = names.join(", ");
  // In portrait what needs attention stands below the title.
  const beside = space.shape === "landscape" ? TITLE_GAP_U + textWidthEm(attention) * TITLE_U : 0;
  const roomU = contentWidthU(space) - CLOCK_U - beside;
  return names.length === 1 || textWidthEm(joined) * TITLE_U <= roomU
    ? joined
    : `${names.length} companies`;
}

function attentionText(
  counts: Counts,
  told: readonly Trust[],
  all: readonly Trust[],
  { nowMs, timeZone }: When,
): string {
  const troubled = needsAttention(counts);
  const total = totalOf(counts);
  const behind = told.filter(({ state }) => state !== "live");
  const asOfMs = oldestReadMs(behind);
  const at = asOfMs === null ? "" : moment(asOfMs, nowMs, timeZone);
  const isFrozen = told.every(({ state }) => state === "blind");
  const missing = all.filter((trust) => !told.includes(trust));
  const without = missing.length === 0 ? "" : `, excluding ${nameThem(missing)}`;
  if (troubled === 0) {
    // Never in the present tense while we are behind.
    return `${at === "" ? "Nothing needs attention" : `Nothing needed attention at ${at}`}${without}`;
  }
  const share = `${count(troubled)} of ${count(total)}`;
  if (isFrozen) return `${share} needed attention at ${at}${without}`;
  const verb = troubled === 1 ? "needs" : "need";
  return `${share} ${verb} attention${at === "" ? "" : `, as of ${at}`}${without}`;
}

type When = { nowMs: number; timeZone: string };

function totalOf(counts: Counts): number {
  return VERDICTS.reduce((sum, word) => sum + counts[word], 0);
}

// What is below the head

type Scene = {
  trusts: readonly Trust[];
  /** Those that the counts tell of. */
  told: readonly Trust[];
  /** Those that we see now. */
  seen: readonly Trust[];
  judged: readonly Judged[];
  counts: Counts;
  space: WallSpace;
  hasBand: boolean;
  when: When;
};

function mainOf(scene: Scene): WallMain {
  const { judged, trusts, told, counts } = scene;
  if (told.length === 0) return unreadNotice(trusts);
  const problems = judged.filter(({ judgement }) => isProblem(judgement.word));
  if (problems.length > 0) return problemsMain(problems, scene);
  if (totalOf(counts) === 0) {
    const who = nameThem(told);
    const isFrozen = scene.seen.length === 0;
    return {
      kind: "notice",
      headline: isFrozen ? "No endpoints then" : "No endpoints yet",
      detail: `The source ${isFrozen ? "reported" : "reports"} no syncs for ${who}.`,
    };
  }
  return calmMain(scene);
}

function unreadNotice(trusts: readonly Trust[]): WallMain {
  if (trusts.length === 0) {
    const detail = "This display has no access to any company, or none is connected.";
    return { kind: "notice", headline: "No companies to show", detail };
  }
  const who = nameThem(trusts);
  if (trusts.every(({ company }) => company.view === null))
    return {
      kind: "notice",
      headline: "Waiting for the first response",
      detail: `This display has no data for ${who} yet.`,
    };
  return trusts.some(({ state }) => state === "blind")
    ? {
        kind: "notice",
        headline: "No verdicts yet",
        detail: `Verdicts for ${who} appear after the first full check.`,
      }
    : {
        kind: "notice",
        headline: "Starting",
        detail: `${who}: first check in progress. Verdicts appear once it finishes.`,
      };
}

/** Three rows at their tallest leave room for what is on time. */
const MOST_ROWS_WITH_FIELD = 3;
const FIELD_LABELS_U = 8;
const LEAST_FIELD_U = 10;

function problemsMain(problems: readonly Judged[], scene: Scene): WallMain {
  const { space, hasBand, when, trusts, judged } = scene;
  const isNamed = trusts.length > 1;
  const isUpright = space.shape === "portrait";
  const unknown = judged.filter(({ judgement }) => judgement.word === "unknown");
  const first = rowsBeside(PORTRAIT_TILES_U);
  // Tiles that take less than they may leave room for rows; with more of these there is no tile more.
  const tilesU = uprightTilesU(scene, tilesOf(scene, first.shown));
  const { shown, hasMore } = tilesU === PORTRAIT_TILES_U ? first : rowsBeside(tilesU);
  const others = problems.slice(shown.length);
  const rows = shown.map((problem) =>
    fitted(problemRow(problem, isNamed, isNamed || isUpright, when), space),
  );
  const fieldU = rowsHeightU(space, { hasBand, hasMore, tilesU }) - rows.length * TALLEST_ROW_U;
  const hasField = rows.length <= MOST_ROWS_WITH_FIELD && fieldU - FIELD_LABELS_U >= LEAST_FIELD_U;
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
      rowCapacity(space, { hasBand, hasMore: isMoreSaid, isNamed, tilesU: besideU });
    const isAllInRows = problems.length <= roomOf(unknown.length > 0);
    const isMoreSaid = !isAllInRows || unknown.length > 0;
    return { shown: problems.slice(0, roomOf(isMoreSaid)), hasMore: isMoreSaid };
  }
}

/** What the tiles of a portrait picture take below its rows. */
function uprightTilesU(
  scene: Scene,
  { tiles, tileColumns }: { tiles: readonly Tile[]; tileColumns: number },
): number {
  // The sum of those without a tile is as wide as two.
  const cells = tiles.reduce((sum, { isTotal }) => sum + (isTotal ? 2 : 1), 0);
  return portraitTilesU(Math.ceil(cells / tileColumns), hasNotes(scene));
}

/** The due line stands here, so that what is just past it has its place right of it. */
const GROUND_SHARE = 0.84;

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
/** What stands above the field may be broken once where the picture is narrow. */
const UPRIGHT_HERO_LINES = 2;
/** The line on what is nearest to due, and the space above and below both. */
const NEAREST_U = 4.2;
const HERO_SPACE_U = 3.1;

function calmMain(scene: Scene): WallMain {
  const { judged, seen, space, hasBand } = scene;
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
  // In portrait the tiles have their place below.
  const takenU = textU + (isUpright ? 0 : tilesU);
  const hasMore = unknown.length > 0;
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
    field: isFrozen || field.heightU < LEAST_FIELD_U ? null : fieldOf(scene, field),
    tiles,
    tileColumns,
    tilesU,
    more: moreOfUnknown(unknown, scene),
  };
}

/** @returns "All 52 scheduled endpoints are fresh"; in the past tense unless all that is told is live */
function calmHeadline({ counts, told, trusts, when }: Scene): string {
  const scheduled = counts.fresh + counts.due + counts.unknown;
  const asOfMs = oldestReadMs(told.filter(({ state }) => state !== "live"));
  const isPast = asOfMs !== null;
  const at = isPast ? ` at ${moment(asOfMs, when.nowMs, when.timeZone)}` : "";
  if (scheduled === 0)
    return isPast ? `No endpoints were scheduled${at}` : "No endpoints are scheduled";
  // Whom we do not see is not among "all".
  const which = told.length < trusts.length ? " that we can see" : "";
  const endpoints = `${counted(scheduled, "scheduled endpoint")}${which}`;
  const are = scheduled === 1 ? (isPast ? "was" : "is") : isPast ? "were" : "are";
  if (counts.fresh < scheduled) return `${count(counts.fresh)} of ${endpoints} ${are} fresh${at}`;
  const all = scheduled === 1 ? `The only scheduled endpoint${which}` : `All ${endpoints}`;
  return `${all} ${are} fresh${at}`;
}

function headlineU(headline: string, space: WallSpace): number {
  // A broken line leaves some of its end empty.
  const roomU = contentWidthU(space) * (space.shape === "portrait" ? UPRIGHT_HERO_LINES - 0.3 : 1);
  return HERO_U.find((sizeU) => textWidthEm(headline) * sizeU * 0.95 <= roomU) ?? HERO_U[2];
}

function nearestToDue(judged: readonly Judged[]) {
  let nearest: { judged: Judged; aheadMs: number } | null = null;
  for (const one of judged) {
    const { latenessMs } = one.judgement.terms;
    if (one.judgement.word !== "fresh" || one.isFrozen || latenessMs === null) continue;
    if (nearest === null || -latenessMs < nearest.aheadMs)
      nearest = { judged: one, aheadMs: -latenessMs };
  }
  if (nearest === null) return null;
  const { row } = nearest.judged;
  return {
    partner: row.partner_name,
    endpoint: row.endpoint_key,
    // The API caches for a minute: nothing counts down below one.
    ahead: nearest.aheadMs < 60_000 ? "in under 1 m" : `in ${duration(nearest.aheadMs)}`,
  };
}

// Tiles

const TILE_GAP_U = 2.4;
/** A company's name and its eight counts want a wide tile. */
const MOST_WIDE_TILES = 5;
/** A line of tiles, and of tiles with a note below their counts. */
const CALM_LINE_U = 11;
const CALM_NOTED_LINE_U = 14.5;

type TileGrid = { columns: number; lines: number };

/** @param inRows the problems that have a row; null on a calm wall */
function tilesOf(
  scene: Scene,
  inRows: readonly Judged[] | null,
): { tiles: readonly Tile[]; tileColumns: number } {
  const { judged, trusts, space, when } = scene;
  const isCalm = inRows === null;
  const isSide = space.shape === "landscape" && !isCalm;
  const widthU = isSide ? TILES_WIDTH_U : contentWidthU(space);
  const { columns, lines } = tileGrid(scene, isCalm);
  const room = {
    slots: columns * lines,
    tileWidthU: (widthU - (columns - 1) * TILE_GAP_U) / columns,
  };
  const [only] = trusts;
  const tiles =
    trusts.length === 1 && only !== undefined
      ? partnerTiles(judged, only, partnersOf(inRows ?? []), room, when)
      : companyTiles(judged, trusts, room, when);
  return { tiles, tileColumns: columns };
}

const partnersOf = (judged: readonly Judged[]): ReadonlySet<string> =>
  new Set(judged.map(({ row }) => row.partner_name));

function tileGrid(scene: Scene, isCalm: boolean): TileGrid {
  const { space, trusts } = scene;
  const isTall = hasNotes(scene);
  // Without a field there is room for more of them.
  const isBare = isCalm && scene.seen.length === 0;
  if (space.shape === "portrait") return { columns: 3, lines: isBare ? 5 : isTall ? 2 : 3 };
  const companies = trusts.length;
  if (isCalm) {
    const columns = companies > 1 && companies <= 8 ? Math.min(4, companies) : 6;
    return { columns, lines: isBare ? 3 : 2 };
  }
  if (companies > 1 && companies <= MOST_WIDE_TILES) return { columns: 1, lines: MOST_WIDE_TILES };
  return { columns: 2, lines: isTall ? 4 : 6 };
}

/** Tiles say as of when they are, where the head does not say it for all of them. */
function hasNotes({ trusts, hasBand }: Scene): boolean {
  return hasBand || (trusts.length > 1 && trusts.some(({ state }) => state !== "live"));
}

// What has no row

const FACT_U = 3;
const ITEM_GAP_U = 2.4;
/** The styles cut an item that is wider. */
const WIDEST_ITEM_U = 52;
const WIDEST_COMPANY_U = { landscape: 30, portrait: 18 } as const;
const ITEM_ICON_U = 3.4;

function moreOfProblems(others: readonly Judged[], scene: Scene): MoreLine {
  const words = new Set(others.map(({ judgement }) => judgement.word));
  const [word] = words;
  const areFrozen = others.every(({ isFrozen }) => isFrozen);
  const be = areFrozen ? "were" : "are";
  const is = areFrozen ? "was" : "is";
  const lead =
    words.size === 1 && word !== undefined
      ? `${count(others.length)} more ${others.length === 1 ? is : be} ${word}:`
      : `${count(others.length)} more ${areFrozen ? "needed" : "need"} attention:`;
  return lineOf(lead, others, scene);
}

function moreOfUnknown(unknown: readonly Judged[], scene: Scene): MoreLine | null {
  if (unknown.length === 0) return null;
  const were = unknown.every(({ isFrozen }) => isFrozen) ? " then" : "";
  return lineOf(`${count(unknown.length)} unknown${were}:`, unknown, scene);
}

function lineOf(lead: string, judged: readonly Judged[], { space, trusts }: Scene): MoreLine {
  const items = judged.map((one) => moreItem(one, trusts.length > 1));
  const widths = items.map((item) => itemWidthU(item, space.shape));
  const fitting = fitCount(widths, {
    lineWidth: contentWidthU(space),
    lines: MORE_LINES[space.shape],
    gap: ITEM_GAP_U,
    startWidth: textWidthEm(lead) * FACT_U,
    tailWidth: textWidthEm(tailText(items.length)) * FACT_U + 2 * ITEM_GAP_U,
  });
  // One is always named, and cut by the styles where it has to be.
  const shown = Math.max(1, fitting);
  const tail = tailText(items.length - shown);
  return {
    lead,
    items: items.slice(0, shown),
    tail,
    tailU: tail === "" ? 0 : textWidthEm(tail) * FACT_U + ITEM_GAP_U,
  };
}

const tailText = (left: number): string => (left > 0 ? `and ${count(left)} more` : "");

function itemWidthU(
  { company, partner, endpoint, figure }: MoreItem,
  shape: WallSpace["shape"],
): number {
  const name = textWidthEm(`${partner} / ${figure} `) + textWidthEm(endpoint, "mono");
  const whoseU = company === null ? 0 : companyWidthU(company, WIDEST_COMPANY_U[shape]) + 1.2;
  return ITEM_ICON_U + whoseU + Math.min(WIDEST_ITEM_U, name * FACT_U);
}

function companyWidthU(name: string, widestU: number): number {
  return Math.min(widestU, textWidthEm(name) * FACT_U);
}

// Rows

const SHAPE_U = 7.6;
const FIGURE_U = 5.4;
/** Its figures stand a little closer than they come. */
const FIGURE_SPACING_EM = -0.03;
const WIDEST_ROW_COMPANY_U = 30;
const FACT_GAP_U = 3;
const NARROW_FACT_GAP_U = 2;

/** Leaves out the last facts where they have no room: nothing wraps, and nothing is cut in the middle. */
function fitted(row: ProblemRow, space: WallSpace): ProblemRow {
  const figure = row.figure.text;
  const figureU = Math.max(
    (textWidthEm(figure) + figure.length * FIGURE_SPACING_EM + 0.4) *
      (row.isFrozen ? 3.6 : FIGURE_U),
    textWidthEm(row.figure.caption) * FACT_U,
  );
  const isUpright = space.shape === "portrait";
  const gap = isUpright || row.company !== null ? NARROW_FACT_GAP_U : FACT_GAP_U;
  const facts = row.facts.map((fact) => textWidthEm(fact) * FACT_U);
  // Upright it stands on a line of its own.
  const company =
    row.company === null || isUpright ? [] : [companyWidthU(row.company, WIDEST_ROW_COMPANY_U)];
  const widths = [...company, ...facts];
  const shown = fitCount(widths, {
    lineWidth: rowsWidthU(space) - SHAPE_U - figureU - 2,
    lines: 1,
    gap,
    startWidth: 0,
    tailWidth: 0,
  });
  // The verdict's word always stays; a company too long for its place is cut by the styles.
  return { ...row, facts: row.facts.slice(0, Math.max(1, shown - company.length)) };
}
