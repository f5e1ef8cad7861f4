import { expect, test } from "vitest";
import { nothingOpenContent } from "@/lib/domain/words/messages/company-content";
import { withContent, type Message } from "./message";

const CONTENT = nothingOpenContent({
  company: "Northgate Builders",
  writtenMs: 0,
  timeZone: "UTC",
  foot: [],
  atMs: 0,
});
const messageOf = (company: Message["company"]) => ({
  id: "msg_1",
  type: "brief" as const,
  at: "2026-11-26T08:00:00.000Z",
  company,
  incident: null,
  url: "https://plumbline.example/northgate",
});
const NORTHGATE = { slug: "northgate", name: "Northgate Builders", external_id: "CRM-7\n@all" };

test("ends with the company's external id, on one line", () => {
  const { text, content } = withContent(messageOf(NORTHGATE), CONTENT);
  expect(text.split("\n").at(-1)).toBe("External ID: CRM-7 @all.");
  expect(content?.fields).toEqual([{ label: "External ID", value: "CRM-7 @all" }]);
});

test("has the id once, also when it is completed again", () => {
  const once = withContent(messageOf(NORTHGATE), CONTENT);
  expect(withContent(once, once.content ?? CONTENT)).toEqual(once);
});

test("says nothing of ids where the company has none, or there are several", () => {
  for (const company of [{ slug: "harbour", name: "Harbour" }, null])
    expect(withContent(messageOf(company), CONTENT).text).not.toContain("External ID");
});
