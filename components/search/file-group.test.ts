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

test("a file leads to its own page and says what it belongs to", () => {
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

test("where there are more, the last item leads to the list of all, with the same words", () => {
  const group = fileGroup(northgate, "a&b = ?", [file(12, "Tower")], 312);
  expect(group?.moreCount).toBe(310);
  expect(group?.items.at(-1)).toEqual({
    kind: "file",
    href: "/northgate/schedules?q=a%26b+%3D+%3F",
    name: "All 312 matching files",
    within: ["Northgate Builders"],
  });
});

test("a file without a name is told by its number", () => {
  expect(fileGroup(northgate, "xx", [file(12, " ")], 1)?.items[0]?.name).toBe("File 12");
});

test("nothing found is no group", () => {
  expect(fileGroup(northgate, "xx", [], 0)).toBeNull();
});
