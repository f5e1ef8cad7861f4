import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { HOUR_MS } from "@/lib/domain/time/units";
import { FleetChart } from "./fleet-chart";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");

test("the name of where it began has the room before its mark, and is whole when pointed at", () => {
  const name = "Bauunternehmungsgesellschaft für Infrastruktur";
  const html = renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <FleetChart
        steps={[{ atMs: NOW_MS - HOUR_MS, companies: 3 }]}
        attemptsMs={[]}
        first={name}
        people={null}
        customers={3}
        feeds={3}
        unseen={{ amount: 0, sinceMs: null }}
        frozenMs={null}
      />
    </ClockProvider>,
  );
  expect(html).toMatch(
    new RegExp(`class="pe-chart-mark is-left" style="width:[\\d.]+%"><span title="${name}">`),
  );
});
