import { expect, test } from "vitest";
import type { MessageContent } from "@/lib/domain/delivery/message-content";
import { incidentContent } from "@/lib/domain/words/messages/incident-content";
import { STORY } from "@/lib/domain/words/messages/story-fixture";
import { messagePage } from "./mail-page";

const URL = "https://plumbline.example/northgate/incidents/40";
const pageOf = (content: MessageContent) =>
  messagePage(content, { subject: "Procore", head: "Plumbline", url: URL });

const EVIL = `</p><img src=x onerror=alert(1)><a href="https://evil.example">"'&amp;`;
const CONTENT = incidentContent(STORY);

test("a mail shows names as they are, and no name is markup", () => {
  const html = pageOf({
    ...CONTENT,
    title: EVIL,
    badge: EVIL,
    lead: [EVIL],
    news: [{ text: EVIL, isMinor: false }],
    items: [{ name: EVIL, state: "stale", how: EVIL, facts: EVIL }],
    more: EVIL,
    fields: [{ label: EVIL, value: EVIL }],
    paragraph: EVIL,
    open: EVIL,
    foot: [{ text: EVIL, link: { label: EVIL, url: `https://plumbline.example/"><script>` } }],
  });
  expect(html).not.toMatch(/<img|<script|"https:\/\/evil/);
  expect(
    html.match(/<a [^>]*href="[^"]*"/g)?.map((link) => /href="([^"]*)"/.exec(link)?.[1]),
  ).toEqual([URL, "https://plumbline.example/&quot;&gt;&lt;script&gt;"]);
});

test("a mail needs no picture, table, font or script, and only its colours change in the dark", () => {
  const html = pageOf(CONTENT);
  expect(html).not.toMatch(
    /<img|<table|<script|@font-face|url\(|https?:\/\/(?!plumbline\.example)/,
  );
  const [, dark = ""] =
    /<style>@media \(prefers-color-scheme: dark\) \{(.*)\}<\/style>/.exec(html) ?? [];
  const declarations = [...dark.matchAll(/\{([^{}]*)\}/g)].flatMap(([, body = ""]) =>
    body.split(";"),
  );
  expect(declarations.length).toBeGreaterThan(10);
  for (const one of declarations)
    expect(one).toMatch(/^(background|color|border-color):#[0-9a-f]{6}!important$/);
});
