import { expect, test } from "vitest";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { fileGroup } from "./file-group";

const northgate = { slug: "northgate", name: "Northgate Builders" };

const file = (id: number, name: string, project: string | null = null): ScheduleFileRow => ({
  id,
  name,
  is_baseline: false,
  company_id: 1,
  customer_project:
    project === null ? null : { id: 7, name: project, source: null, customer_project_id: null },
  created_at: "2026-03-02T12:00:00Z",
  file_type: "xer",
  partner_token_id: null,
});

test("links a file to its page, with what it belongs to", () => {
  expect(fileGroup(northgate, "tow", [file(12, "Tower", "Riverside"), file(13, "Low")], 2)).toEqual(
    {
      kind: "file",
      moreCount: 0,
      items: [
        {
          kind: "file",
          href: "/northgate/schedules/12",
          name: "Tower",
          within: ["Riverside", "Northgate Builders"],
        },
        {
          kind: "file",
          href: "/northgate/schedules/13",
          name: "Low",
          within: ["Northgate Builders"],
        },
      ],
    },
  );
});

test("ends with a link to the full list, with the same query, when there are more", () => {
  const group = fileGroup(northgate, "a&b = ?", [file(12, "Tower")], 312);
  expect(group?.moreCount).toBe(310);
  expect(group?.items.at(-1)).toEqual({
    kind: "file",
    href: "/northgate/schedules?q=a%26b+%3D+%3F",
    name: "All 312 matching files",
    within: ["Northgate Builders"],
  });
});

test("identifies a file without a name by its number", () => {
  expect(fileGroup(northgate, "xx", [file(12, " ")], 1)?.items[0]?.name).toBe("File 12");
});

test("is null without results", () => {
  expect(fileGroup(northgate, "xx", [], 0)).toBeNull();
});
