import { WallFleet, WallRest } from "./wall-fleet";
import type { WallModel } from "./model";
import type { Beat } from "@/components/shell/time/wall-clock";
import { WallField } from "./wall-field";
import { WallFoot } from "./wall-foot";
import { WallFrame } from "@/components/shell/wall-frame";
import { WallHead } from "./wall-head";
import { WallMore, WallProblems } from "./wall-problems";
import { WallTiles } from "./wall-tiles";
import { DUE_NEXT, tileWords } from "./words";

/**
 * The wall, rendered from `wallModel`; it decides nothing and needs no script. The page around it
 * contains the `Hatch`.
 * @param beat null: a static picture
 */
export function WallPicture({
  model,
  beat,
  theme,
  shiftPx,
}: {
  model: WallModel;
  beat: Beat | null;
  theme: "dark" | "light";
  shiftPx?: { x: number; y: number } | undefined;
}) {
  const { shape, main, foot, scoresAre } = model;
  return (
    <WallFrame theme={theme} shape={shape} shiftPx={shiftPx}>
      <WallHead model={model} beat={beat} />
      <div role="status">
        <WallBand model={model} />
      </div>
      <main className={`wall-main is-${main.kind} ${scoresAre === "past" ? "is-past" : ""}`}>
        <WallMain model={model} />
      </main>
      <WallFoot foot={foot} />
    </WallFrame>
  );
}

/** The most prominent element of the wall. */
function WallBand({ model: { band } }: { model: WallModel }) {
  if (band === null) return null;
  return (
    <div className="wall-band">
      <strong>{band.title}</strong>
      {/* Announced once, when it starts: its ages keep changing. */}
      <div aria-live="off">
        {band.sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </div>
  );
}

function WallMain({ model: { main } }: { model: WallModel }) {
  switch (main.kind) {
    case "notice":
      return (
        <div className="wall-hero">
          <h2>{main.headline}</h2>
          <p>{main.detail}</p>
        </div>
      );
    case "calm":
      return (
        <>
          <div className="wall-hero">
            <h2 style={{ fontSize: `calc(var(--u) * ${main.headlineU})` }}>{main.headline}</h2>
            {main.nearest === null ? null : (
              <p>
                {DUE_NEXT} <bdi>{main.nearest.partner}</bdi> /{" "}
                <bdi className="wall-mono">{main.nearest.endpoint}</bdi>, {main.nearest.ahead}
              </p>
            )}
          </div>
          {main.field === null ? null : <WallField field={main.field} />}
          <WallTiles
            tiles={main.tiles}
            columns={main.tileColumns}
            label={tileWords.all}
            heightU={main.tilesU}
          />
          <WallMore more={main.more} />
          <WallRest rest={main.rest} />
        </>
      );
    case "fleet":
      return <WallFleet main={main} />;
    case "problems":
      return (
        <>
          <div className={`wall-problems ${main.field === null ? "" : "has-field"}`}>
            <WallProblems rows={main.rows} />
            {main.field === null ? null : <WallField field={main.field} />}
          </div>
          <WallTiles
            tiles={main.tiles}
            columns={main.tileColumns}
            label={tileWords.others}
            heightU={main.tilesU}
          />
          <WallMore more={main.more} />
        </>
      );
  }
  return main satisfies never;
}
