import { readFile } from "node:fs/promises";
import path from "node:path";
import type { ReactElement } from "react";
import { Logo } from "@/components/marks/logo";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { SharedPast } from "@/lib/contracts/shared-page";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { duration } from "@/lib/domain/words/format";
import { checksNote, pictureHeadline, pictureMoment } from "@/lib/domain/words/shared-words";
import { endedSentence } from "@/lib/domain/words/copied-incident";
import { sharedState } from "@/lib/server/shared-state";
import { coverageOf } from "./font-coverage";
import { pictureWords as words } from "./words";

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

type Face = { name: string; data: Buffer; weight: 400 | 600; style: "normal" };

type Faces = { faces: Face[]; covered: ReadonlySet<number> };
const loadedFaces = () => sharedState(globalThis, "picture typefaces", readFaces);

/** The stored copy of a link. `companyName`: at that time; `total`: number of endpoints, if not all are in `past`. */
type Pictured = { partnerName: string; companyName: string; past: SharedPast; total: number };

/**
 * Renders the stored copy of a link as a PNG, and nothing else. It takes a tenth of a second of
 * CPU, so callers cache it.
 */
export async function renderPicture(pictured: Pictured): Promise<Uint8Array<ArrayBuffer>> {
  const { faces: fonts, covered } = await loadedFaces();
  const { ImageResponse } = await import("next/og");
  const drawable = (text: string) => drawableText(text, covered);
  const picture = new ImageResponse(pictureOf(pictured, drawable), { ...SIZE, fonts });
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
  { partnerName, companyName, past, total }: Pictured,
  drawable: (text: string) => string,
): ReactElement {
  const { atMs, asOfMs, confidence, endpoints, incident } = past;
  const checks = checksNote(confidence, asOfMs);
  // A name in another script is left out of the sentence, where it would be dots.
  const isDrawable = drawable(partnerName) === partnerName.normalize("NFC");
  const name = isDrawable ? partnerName : null;
  const headline =
    endedSentence(name ?? words.thisPartner, incident, { nowMs: atMs, timeZone: "UTC" }) ??
    pictureHeadline(name, endpoints, total);
  const rows = worstFirst(endpoints).filter(({ word }) => word in COLOURS);
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
          <Logo width={24} height={36} />
          <div style={{ display: "flex", marginLeft: 16, fontWeight: 600 }}>Plumbline</div>
        </div>
        <div style={{ display: "flex", color: INK.ink2 }}>{cut(drawable(companyName), 40)}</div>
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
        <PictureRow key={row.id} row={row} name={cut(drawable(row.endpointKey), 28)} />
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
            {pictureMoment(atMs)}
          </div>
          {checks === "" ? "" : `; ${checks}`}
        </div>
        <div style={{ display: "flex" }}>{words.open}</div>
      </div>
    </div>
  );
}

type Endpoint = SharedPast["endpoints"][number];

/** Worst first, as in every list. */
function worstFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.toSorted(
    (a, b) =>
      VERDICTS.indexOf(a.word) - VERDICTS.indexOf(b.word) ||
      (b.latenessMs ?? -1) - (a.latenessMs ?? -1),
  );
}

function PictureRow({ row: { word, ageMs, latenessMs }, name }: { row: Endpoint; name: string }) {
  const colours = COLOURS[word] ?? { text: INK.ink, mark: INK.ink };
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
      <div style={{ display: "flex", color: colours.mark }}>
        <VerdictIcon shape={word} size={28} />
      </div>
      <div style={{ display: "flex", flexGrow: 1, marginLeft: 24, fontFamily: "Geist Mono" }}>
        {name}
      </div>
      <div style={{ display: "flex", color: INK.ink2 }}>
        {ageMs === null ? "" : words.old(duration(ageMs))}
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
        {latenessMs === null ? word : words.overdue(duration(latenessMs))}
      </div>
    </div>
  );
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
