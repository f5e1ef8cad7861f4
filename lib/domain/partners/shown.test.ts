import { expect, test } from "vitest";
import { firstRows, shownPartner } from "./shown";

const company = (
  name: string,
  standing: Parameters<typeof shownPartner>[0]["companies"][number]["standing"],
  ...words: ("failing" | "late" | "fresh" | "due" | "paused" | "webhook" | "unknown")[]
) => ({
  company: name,
  standing,
  quiet: name === "quiet" ? 1 : 0,
  endpoints: words.map((verdict, at) => ({ endpoint_key: `key-${at}`, verdict })),
});

test("shows rows with numbers and the worst names instead of all feeds", () => {
  const shown = shownPartner({
    partner_name: "Procore",
    companies: [
      company("a", "behind", "failing", "late", "late", "fresh", "paused"),
      company("b", "unseen", "fresh"),
      company("c", "on_time", "due", "fresh", "unknown", "webhook"),
      company("d", "paused", "paused"),
    ],
  });
  expect(shown).toEqual({
    partner_name: "Procore",
    counts: { behind: 1, unseen: 1, cannot_judge: 0, quiet: 0, on_time: 1, paused: 1 },
    unknownFeeds: 1,
    trouble: [
      {
        company: "a",
        standing: "behind",
        quiet: 0,
        feeds: { total: 5, behind: 3, onTime: 1, counted: 4, names: ["key-0", "key-1"] },
      },
      {
        company: "b",
        standing: "unseen",
        quiet: 0,
        feeds: { total: 1, behind: 0, onTime: 1, counted: 1, names: [] },
      },
    ],
    onTime: [
      {
        company: "c",
        standing: "on_time",
        quiet: 0,
        feeds: { total: 4, behind: 0, onTime: 2, counted: 3, names: [] },
      },
    ],
    cut: { trouble: 0, onTime: 0 },
  });
});

test("counts unknown feeds beside feeds that say something, where we can see", () => {
  const { unknownFeeds } = shownPartner({
    companies: [
      company("a", "behind", "late", "unknown"),
      company("b", "on_time", "fresh", "unknown", "unknown"),
      company("c", "unseen", "unknown"),
      company("d", "cannot_judge", "unknown"),
    ],
  });
  expect(unknownFeeds).toBe(3);
});

test("doesn't count feeds in a planned quiet time as behind", () => {
  const [row] = shownPartner({
    companies: [company("quiet", "behind", "late", "failing")],
  }).trouble;
  expect(row?.feeds).toMatchObject({ behind: 1, names: ["key-0"] });
});

test("cuts rows of the first screen, but no numbers", () => {
  const many = (amount: number, standing: "behind" | "on_time") =>
    Array.from({ length: amount }, (_, at) => company(`${standing} ${at}`, standing, "fresh"));
  const shown = firstRows(
    shownPartner({ companies: [...many(200, "behind"), ...many(41, "on_time")] }),
  );
  expect(shown.counts).toMatchObject({ behind: 200, on_time: 41 });
  expect([shown.trouble.length, shown.onTime.length]).toEqual([40, 40]);
  expect(shown.cut).toEqual({ trouble: 160, onTime: 1 });
});
