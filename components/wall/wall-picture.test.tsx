import { readFileSync } from "node:fs";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { minutesAgo } from "@/lib/domain/row-fixture";
import type { WallModel } from "./model";
import { company, endpoint, modelOf, overdue, view } from "./wall-fixture";
import { WallNotice } from "./wall-notice";
import { WallPicture } from "./wall-picture";

const ROWS = [endpoint("Procore", "daily_logs", overdue(70)), endpoint("Aconex", "mail")];

function html(model: WallModel, beat: { second: number; isAlive: boolean } | null): string {
  return renderToStaticMarkup(<WallPicture model={model} beat={beat} theme="dark" />);
}

const text = (markup: string) =>
  markup
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

describe("WallPicture", () => {
  it("needs no script, and has a text for everything that it draws", () => {
    const markup = html(modelOf([company("Northgate", view(ROWS))]), null);
    expect(markup).not.toMatch(/<(script|style)\b/);
    const words = text(markup);
    for (const said of [
      "Northgate",
      "1 of 2 needs attention",
      "1 Late",
      "due 13:22",
      "1 h 10 m overdue",
    ])
      expect(words).toContain(said);
  });

  it("has styles for every number of tiles in a line", () => {
    const css = readFileSync("public/wall.css", "utf8");
    for (const companies of [1, 2, 3, 4, 5, 8, 9])
      for (const rows of companies === 1 ? [ROWS, ROWS.slice(1)] : [ROWS.slice(1)]) {
        const names = Array.from({ length: companies }, (_, at) => `Company ${at}`);
        const markup = html(modelOf(names.map((name) => company(name, view(rows)))), null);
        const [columns] = /has-\d+-columns/.exec(markup) ?? [];
        expect(css).toContain(`.wall-tiles.${columns} {`);
      }
  });

  it("pulses with the given beat, and reports when the beat stops", () => {
    const model = modelOf([company("Northgate", view(ROWS))]);
    const alive = html(model, { second: 7, isAlive: true });
    expect(alive.match(/class="is-on"/g)).toHaveLength(7);
    expect(alive).not.toContain("stands still");
    expect(html(model, { second: 7, isAlive: false })).toContain("No new data");
  });

  it("is a static picture without a beat", () => {
    const markup = html(modelOf([company("Northgate", view(ROWS))]), null);
    expect(markup).not.toContain("wall-beat");
    expect(text(markup)).toContain("If this clock stops, so has data. As of 14:32 :07");
  });

  it("escapes names", () => {
    const hostile = endpoint("<img src=x onerror=alert(1)>", "</b><script>", overdue(70));
    const markup = html(modelOf([company("<i>A</i>", view([hostile]))]), null);
    expect(markup).not.toMatch(/<(img|script)\b|<i>A/);
  });

  it("announces blindness, and nothing else", () => {
    const live = html(modelOf([company("Northgate", view(ROWS))]), null);
    expect(live).toContain('<div role="status"></div>');
    const source = { confidence: "blind", last_success_at: minutesAgo(30) } as const;
    const blind = html(modelOf([company("Northgate", view(ROWS, source))]), null);
    expect(blind).toMatch(/role="status"><div class="wall-band"><strong>Can’t see since 14:02/);
  });
});

describe("WallNotice", () => {
  it("shows its sentence on the wall's background", () => {
    const markup = renderToStaticMarkup(
      <WallNotice
        title="This display is no longer paired"
        sentence="Ada ended it."
        theme="light"
      />,
    );
    expect(markup).toContain('data-theme="light"');
    expect(text(markup)).toBe("This display is no longer paired Ada ended it.");
  });
});
