import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { KeysBar } from "@/components/grid/keys-bar";
import { TodayFoot } from "@/components/today/today-foot";

const onHelp = () => {};
const bar = (without: readonly string[]) =>
  renderToStaticMarkup(<KeysBar place={null} total={3} without={without} onHelp={onHelp} />);
const foot = (without: readonly string[]) =>
  renderToStaticMarkup(<TodayFoot said="3 lines" without={without} onHelp={onHelp} />);

test("offers to acknowledge only to those who may", () => {
  for (const drawn of [bar, foot]) {
    expect(drawn([])).toContain("I’m on it");
    expect(drawn(["A"])).not.toContain("I’m on it");
    expect(drawn(["A"])).toContain("tell customer");
  }
  for (const drawn of [bar, foot]) expect(drawn(["A", "T"])).not.toContain("tell customer");
});
