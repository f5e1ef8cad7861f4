import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ReactElement } from "react";
import type { SharedThen } from "@/lib/contracts/links";
import type { Verdict } from "@/lib/domain/sync";
import { duration } from "@/lib/domain/words/format";
import { pictureHeadline, pictureMoment } from "@/lib/domain/words/shared-words";
import { UNSEEN_AFTER } from "@/lib/domain/words/then-and-now";
import { coverageOf } from "./font-coverage";
import { endedSentence, totalOf } from "./link-card";
import { pictureWords as words } from "./page-words";
import { isFrozenThen, thenEndpoints, worstFirstEndpoints } from "./shared-page";
import { seenMs } from "./shared-rows";
import { sharedState } from "@/lib/server/shared-state";

const SIZE = { width: 1200, height: 630 };
const ROWS = 3;
const LONGEST_HEADLINE = 90;

/** Light theme only. */
const INK = { ink: "#16181b", ink2: "#45494f", line: "#cdcdc7" };
const COLOURS: Readonly<Partial<Record<Verdict, { text: string; mark: string }>>> = {
  failing: { text: "#b3093c", mark: "#b3093c" },
  stale: { text: "#a83205", mark: "#d9480f" },
  late: { text: "#8f4a00", mark: "#c47200" },
};
const SHAPES: Readonly<Partial<Record<Verdict, string>>> = {
  failing: "M5 1h6l4 4v6l-4 4H5l-4-4V5Z",
  stale: "M2 1h12v2L9.6 8 14 13v2H2v-2L6.4 8 2 3Z",
  late: "M8 1.5 15 14.5H1Z",
};

type Face = { name: string; data: Buffer; weight: 400 | 600; style: "normal" };
type Faces = { faces: Face[]; covered: ReadonlySet<number> };
const loadedFaces = () => sharedState(globalThis, "picture typefaces", readFaces);

/**
 * Renders the stored copy of a link as a PNG, and nothing else. It takes a tenth of a second of
 * CPU, so callers cache it.
 */
export async function drawPicture(
  partnerName: string,
  stored: SharedThen,
): Promise<Uint8Array<ArrayBuffer>> {
  const { faces: fonts, covered } = await loadedFaces();
  const { ImageResponse } = await import("next/og");
  const drawable = (text: string) => drawableText(text, covered);
  const picture = new ImageResponse(pictureOf(partnerName, stored, drawable), { ...SIZE, fonts });
  return new Uint8Array(await picture.arrayBuffer());
}

/**
 * Reduces a text to characters that our fonts cover. The library would fetch fonts for others from
 * third parties, sending the text along, so nothing else may reach it.
 */
function drawableText(text: string, covered: ReadonlySet<number>): string {
  return Array.from(text.normalize("NFC"), (character) =>
    covered.has(character.codePointAt(0) ?? 0) && !/\p{Extended_Pictographic}/u.test(character)
      ? character
      : "\u00b7",
  ).join("");
}

async function readFaces(): Promise<Faces> {
  const folder = path.join(/* turbopackIgnore: true */ process.cwd(), "app/fonts");
  const read = (file: string) => readFile(path.join(folder, file));
  const [sans, strong, mono] = await Promise.all(
    ["geist-400.ttf", "geist-600.ttf", "geist-mono-400.ttf"].map(read),
  );
  if (sans === undefined || strong === undefined || mono === undefined) {
    throw new Error("the typefaces of pictures are missing");
  }
  const coverages = [sans, strong, mono].map(coverageOf);
  const [first = new Set<number>()] = coverages;
  return {
    faces: [
      { name: "Geist", data: sans, weight: 400, style: "normal" },
      { name: "Geist", data: strong, weight: 600, style: "normal" },
      { name: "Geist Mono", data: mono, weight: 400, style: "normal" },
    ],
    covered: new Set([...first].filter((code) => coverages.every((each) => each.has(code)))),
  };
}

function pictureOf(
  partnerName: string,
  stored: SharedThen,
  drawable: (text: string) => string,
): ReactElement {
  // A name in another script is left out of the sentence, where it would be dots.
  const isDrawable = drawable(partnerName) === partnerName.normalize("NFC");
  const name = isDrawable ? partnerName : null;
  const headline =
    endedSentence(name ?? words.thisPartner, stored) ??
    pictureHeadline(name, thenEndpoints(stored), totalOf(stored));
  const rows = worstFirstEndpoints(stored).filter(({ verdict }) => verdict in COLOURS);
  return (
    <div
      style={{
        display: "flex",
        flexDirection: "column",
        width: "100%",
        height: "100%",
        padding: "54px 64px 50px",
        background: "#ffffff",
        color: INK.ink,
        fontFamily: "Geist",
        fontSize: 30,
      }}
    >
      <div style={{ display: "flex", alignItems: "center", justifyContent: "space-between" }}>
        <div style={{ display: "flex", alignItems: "center" }}>
          <svg width="24" height="36" viewBox="0 0 14 20">
            <rect x="6.25" y="0" width="1.5" height="11" fill={INK.ink} />
            <path d="M2.5 10.5h9L7 19.5Z" fill={INK.ink} />
          </svg>
          <div style={{ display: "flex", marginLeft: 16, fontWeight: 600 }}>Plumbline</div>
        </div>
        <div style={{ display: "flex", color: INK.ink2 }}>
          {cut(drawable(stored.company_name), 40)}
        </div>
      </div>
      <div
        style={{
          display: "flex",
          marginTop: 26,
          marginBottom: 28,
          fontSize: headline.length > 38 ? 46 : headline.length > 31 ? 58 : 68,
          fontWeight: 600,
          letterSpacing: "-0.02em",
          lineHeight: 1.15,
        }}
      >
        {cut(drawable(headline), LONGEST_HEADLINE)}
      </div>
      {rows.slice(0, ROWS).map((row) => (
        <PictureRow key={row.id} row={row} name={cut(drawable(row.endpoint_key), 28)} />
      ))}
      {rows.length <= ROWS ? null : (
        <div style={{ display: "flex", paddingTop: 8, color: INK.ink2 }}>
          {words.more(rows.length - ROWS)}
        </div>
      )}
      <div
        style={{
          display: "flex",
          justifyContent: "space-between",
          marginTop: "auto",
          paddingTop: 18,
          borderTop: `2px solid ${INK.ink}`,
          color: INK.ink2,
          fontSize: 28,
        }}
      >
        <div style={{ display: "flex" }}>
          {words.asOf}
          <div style={{ display: "flex", marginLeft: 8, color: INK.ink, fontWeight: 600 }}>
            {pictureMoment(seenMs(stored))}
          </div>
          {isFrozenThen(stored) ? `; ${UNSEEN_AFTER}` : ""}
        </div>
        <div style={{ display: "flex" }}>{words.open}</div>
      </div>
    </div>
  );
}

function PictureRow({ row, name }: { row: SharedThen["endpoints"][number]; name: string }) {
  const colours = COLOURS[row.verdict] ?? { text: INK.ink, mark: INK.ink };
  const { age_seconds: age, overdue_seconds: overdue } = row;
  return (
    <div
      style={{
        display: "flex",
        alignItems: "center",
        height: 72,
        borderTop: `2px solid ${INK.line}`,
        fontSize: 34,
      }}
    >
      <svg width="28" height="28" viewBox="0 0 16 16">
        <path d={SHAPES[row.verdict] ?? ""} fill={colours.mark} />
      </svg>
      <div style={{ display: "flex", flexGrow: 1, marginLeft: 24, fontFamily: "Geist Mono" }}>
        {name}
      </div>
      <div style={{ display: "flex", color: INK.ink2 }}>
        {age === null ? "" : words.old(duration(age * 1000))}
      </div>
      <div
        style={{
          display: "flex",
          justifyContent: "flex-end",
          width: 350,
          color: colours.text,
          fontWeight: 600,
        }}
      >
        {overdue === null ? row.verdict : words.overdue(duration(overdue * 1000))}
      </div>
    </div>
  );
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
