import type { TodayMember } from "@/lib/domain/today/lines";
import type { ShownLine, ShownToday } from "@/lib/domain/today/shown";
import type { UnjudgedCompany, UnseenCompany } from "@/lib/domain/today/today";

/** A row of the list, or the space of lines that aren't loaded yet. */
export type Item =
  | { kind: "line"; key: string; line: ShownLine }
  | { kind: "member"; key: string; line: ShownLine; member: TodayMember }
  | { kind: "cut"; key: string; lines: number }
  | { kind: "unseen"; key: string; unseen: UnseenCompany }
  | { kind: "cannot-judge"; key: string; unknown: UnjudgedCompany };

/**
 * All rows in order: lines with the members of open ones, companies that aren't seen, and those that can't be judged.
 * @param lines in their order
 * @param open keys of the lines that are folded out
 */
export function itemsOf(
  lines: readonly ShownLine[],
  { cut, unseen, cannot_judge: cannotJudge }: Pick<ShownToday, "cut" | "unseen" | "cannot_judge">,
  open: ReadonlySet<string>,
): Item[] {
  return [
    ...lines.flatMap((line): Item[] => [
      { kind: "line", key: line.key, line },
      ...(open.has(line.key)
        ? line.members.map((member): Item => ({
            kind: "member",
            key: memberKey(line, member),
            line,
            member,
          }))
        : []),
    ]),
    ...(cut.lines === 0 ? [] : [{ kind: "cut", key: "cut", lines: cut.lines } as const]),
    ...unseen.map((one) => ({
      kind: "unseen" as const,
      key: `unseen:${one.company.slug}`,
      unseen: one,
    })),
    ...cannotJudge.map((one) => ({
      kind: "cannot-judge" as const,
      key: `unknown:${one.company.slug}`,
      unknown: one,
    })),
  ];
}

/** Key of the row of one of a line's members. */
export const memberKey = (
  { key }: Pick<ShownLine, "key">,
  { company, endpoint_id: id }: TodayMember,
): string => `${key} ${company.slug} ${id}`;

/** The line that has a row, itself or one of its members'; undefined: the row isn't one of trouble. */
export function lineOfRow(lines: readonly ShownLine[], rowKey: string): ShownLine | undefined {
  return lines.find(
    (line) =>
      line.key === rowKey || line.members.some((member) => memberKey(line, member) === rowKey),
  );
}

/** Heights in pixels, repeated in app/styles/today.css; each is that of a row, then of a card. */
const HEIGHTS = {
  line: [29, 104],
  member: [29, 104],
  /** Of a line of one company, which has the acts. */
  "short-member": [29, 72],
  cut: [29, 104],
  unseen: [29, 76],
  "cannot-judge": [29, 76],
} as const satisfies Record<Item["kind"] | "short-member", readonly [row: number, card: number]>;

/** Of a promise or a learned week below its line. */
const BELOW_PX = 21;

/** Where lines are cards. */
export const CARD_QUERY = "(max-width: 800px)";

/** Whether a line has something below it: its promise, or otherwise its learned week. */
export const hasBelow = ({
  promise,
  learned_week: week,
}: Pick<ShownLine, "promise" | "learned_week">) => promise !== null || week != null;

export function heightOf(item: Item, isCard: boolean): number {
  const isShort = item.kind === "member" && item.line.kind !== "partner";
  const px = HEIGHTS[isShort ? "short-member" : item.kind][isCard ? 1 : 0];
  if (item.kind === "line" && hasBelow(item.line)) return px + BELOW_PX;
  return item.kind === "cut" ? px * item.lines : px;
}
