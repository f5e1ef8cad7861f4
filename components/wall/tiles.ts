import { groupBy } from "@/lib/domain/collections/group-by";
import { isProblem, type Counts } from "@/lib/domain/order";
import { compareText } from "@/lib/domain/text/compare-text";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { tally } from "@/lib/domain/verdict";
import { moment } from "@/lib/domain/words/format";
import { TILES_WIDTH_U, contentWidthU } from "./layout/space";
import type { Judged } from "./problem";
import { hasNotes, type Scene } from "./scene";
import { textWidthEm } from "./layout/text-width";
import { compareTrust, type Trust } from "./trust";
import { tileWords } from "./words";

/** What has no row: a partner, or a company where there are several, with its counts by verdict. */
export type Tile = {
  key: string;
  name: string;
  tallies: readonly { word: Verdict; count: number }[];
  /** Endpoints whose verdict doesn't fit in the tile. */
  rest: number;
  /** "at 14:02", "as of 14:29", "not checked yet"; empty while live. */
  note: string;
  isFrozen: boolean;
  isDelayed: boolean;
  /** The sum of those without a tile, across the whole width. */
  isTotal: boolean;
};

type When = { nowMs: number; timeZone: string };

const TALLY_U = 3.7;
const TALLY_GAP_U = 1.7;

/** @param given.slots single tiles; the total takes two */
type Room = { slots: number; tileWidthU: number };

/**
 * Partners of one company without problems, largest first. They are preceded, where there is room,
 * by partners with problems but without a row.
 * @param judged worst first
 * @param inRows partners that have a row
 */
function partnerTiles(
  judged: readonly Judged[],
  trust: Trust,
  inRows: ReadonlySet<string>,
  room: Room,
  when: When,
): readonly Tile[] {
  const byPartner = groupBy(judged, ({ row }) => row.partner_name);
  const partners = Array.from(byPartner, ([name, own]) => {
    const words = own.map(({ judgement }) => judgement.word);
    return {
      name,
      counts: tally(words),
      size: words.length,
      isHealthy: !words.some(isProblem),
    };
  });
  const healthy = partners
    .filter(({ isHealthy }) => isHealthy)
    .toSorted(
      (a, b) =>
        b.counts.unknown - a.counts.unknown || b.size - a.size || compareText(a.name, b.name),
    );
  const troubled = partners
    .filter(({ name, isHealthy }) => !isHealthy && !inRows.has(name))
    .slice(0, Math.max(0, room.slots - healthy.length));
  // While merely delayed, the head has one date for all.
  const note = trust.state === "delayed" ? "" : noteOf(trust, when);
  return cutToFit(
    [...troubled, ...healthy].map(({ name, counts }) => ({
      key: `partner:${name}`,
      name,
      counts,
      trust,
      note,
    })),
    "partner",
    room,
  );
}

/** Every company, the worst known first, then in the given order. */
function companyTiles(
  judged: readonly Judged[],
  trusts: readonly Trust[],
  room: Room,
  when: When,
): readonly Tile[] {
  const parts = trusts.map((trust) => {
    const { slug, name } = trust.company;
    const own = judged.filter(({ company }) => company.slug === slug);
    const counts = tally(own.map(({ judgement }) => judgement.word));
    return { key: `company:${slug}`, name, counts, trust, note: noteOf(trust, when) };
  });
  return cutToFit(
    parts.toSorted((a, b) => compareTrust(a.trust, b.trust)),
    "company",
    room,
  );
}

function noteOf({ state, asOfMs }: Trust, { nowMs, timeZone }: When): string {
  if (asOfMs === null) return tileWords.unread;
  if (state === "live") return "";
  const at = moment(asOfMs, nowMs, timeZone);
  return state === "delayed" ? tileWords.asOf(at) : tileWords.at(at);
}

type Part = { key: string; name: string; counts: Counts; trust: Trust; note: string };

function cutToFit(
  parts: readonly Part[],
  thing: "partner" | "company",
  { slots, tileWidthU }: Room,
): readonly Tile[] {
  if (parts.length <= slots) return parts.map((part) => tileOf(part, tileWidthU));
  const own = Math.max(0, slots - 2);
  const others = parts.slice(own);
  const counts = tally([]);
  for (const word of VERDICTS) for (const part of others) counts[word] += part.counts[word];
  const isUnseen = others.some(({ trust }) => trust.state === "blind");
  const total = {
    key: "total",
    name: tileWords.total(others.length, thing),
    ...tallied(counts, 2 * tileWidthU),
    note: others.every(({ note }) => note === others[0]?.note) ? (others[0]?.note ?? "") : "",
    isFrozen: isUnseen,
    isDelayed: others.some(({ trust }) => trust.state === "delayed"),
    isTotal: true,
  };
  return [...parts.slice(0, own).map((part) => tileOf(part, tileWidthU)), total];
}

function tileOf({ key, name, counts, trust, note }: Part, tileWidthU: number): Tile {
  return {
    key,
    name,
    ...tallied(counts, tileWidthU),
    note,
    isFrozen: trust.state === "blind",
    isDelayed: trust.state === "delayed",
    isTotal: false,
  };
}

/** Worst first, as many as fit; the rest as one number. */
function tallied(counts: Counts, widthU: number): Pick<Tile, "tallies" | "rest"> {
  const all = VERDICTS.filter((word) => counts[word] > 0).map((word) => ({
    word,
    count: counts[word],
  }));
  for (let shown = all.length; shown > 0; shown -= 1) {
    const tallies = all.slice(0, shown);
    const rest = all.slice(shown).reduce((sum, { count }) => sum + count, 0);
    const used = tallies.reduce((sum, { count }) => sum + tallyWidthU(count), 0);
    const restU = rest === 0 ? 0 : textWidthEm(`+${rest}`) * TALLY_U;
    if (used + restU <= widthU || shown === 1) return { tallies, rest };
  }
  return { tallies: [], rest: 0 };
}

function tallyWidthU(count: number): number {
  return (0.8 + 0.26 + textWidthEm(String(count))) * TALLY_U + TALLY_GAP_U;
}

const TILE_GAP_U = 2.4;

type TileGrid = { columns: number; lines: number };

/**
 * The tiles of a picture, and their number of columns.
 * @param inRows problems that have a row; null on a calm wall
 */
export function tilesOf(
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
  if (isCalm) {
    const companies = trusts.length;
    const columns = companies > 1 && companies <= 8 ? Math.min(4, companies) : 6;
    return { columns, lines: isBare ? 3 : 2 };
  }
  return { columns: 2, lines: isTall ? 4 : 6 };
}
