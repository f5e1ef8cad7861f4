import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type {
  EndedLinkPage,
  PresentEndpoint,
  SharedIncidentPage,
  SharedPage,
  SharedPartnerPage,
  SharedPast,
  SharedPresent,
} from "@/lib/contracts/shared-page";
import { VERDICTS } from "@/lib/domain/sync";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import { renderSharedPage } from "./render-shared-page";

const NOW_MS = Date.UTC(2026, 10, 21, 14, 32);
const EVIL = `<b class="x">&'`;

const past: SharedPast = {
  atMs: NOW_MS - HOUR_MS,
  sharedMs: NOW_MS - HOUR_MS,
  asOfMs: NOW_MS - HOUR_MS,
  confidence: "live",
  endpoints: VERDICTS.map((word) => ({
    id: word,
    endpointKey: `${word}_${EVIL}`,
    word,
    ageMs: HOUR_MS,
    cadenceMs: 30 * MINUTE_MS,
    countedAgeMs: HOUR_MS,
    quiet: "",
    latenessMs: MINUTE_MS,
  })),
  incident: null,
};

function present(id: string): PresentEndpoint {
  const row = rowFixture({
    frequency_minutes: 60,
    last_updated_at: new Date(NOW_MS - 5 * HOUR_MS).toISOString(),
  });
  const judgement = verdict(row, row.known, NOW_MS);
  const promise = {
    due_at: new Date(NOW_MS + HOUR_MS).toISOString(),
    state: "at_risk",
    attempt_at: null,
    usually_seconds: null,
    late_seconds: null,
    late_at_most: false,
  } as const;
  return { id, endpointKey: id, verdict: "fresh", judgement, promise };
}

const now: SharedPresent = {
  confidence: "live",
  isResting: false,
  apiNowMs: NOW_MS,
  asOfMs: NOW_MS - MINUTE_MS,
  delayedInMs: 90_000,
  blindInMs: 240_000,
  partnerData: { youngestMs: MINUTE_MS, oldestMs: HOUR_MS },
  endpoints: VERDICTS.map(present),
};

const open = {
  card: [{ property: "og:title", content: EVIL }],
  partnerName: EVIL,
  companyName: EVIL,
  shows: "both",
  sharedByName: EVIL,
  expiresMs: NOW_MS + 24 * HOUR_MS,
  nowMs: NOW_MS,
  timeZone: "Europe/Oslo",
  past,
} as const;
const partner: SharedPartnerPage = { kind: "partner", ...open, now };
const member = { id: "late", endpointKey: EVIL, beganMs: past.atMs, endedMs: null, ending: null };
const told = {
  beganMs: past.atMs,
  openedMs: past.atMs,
  endedMs: null,
  ending: null,
  endpointCount: 9,
  members: [member],
};
const incident: SharedIncidentPage = {
  kind: "incident",
  ...open,
  past: { ...past, incident: told },
  incident: {
    ...told,
    now,
    open: new Map([["late", { verdict: "late", shown: present("late") }]]),
    nextSyncMs: null,
  },
};
const ended: EndedLinkPage = {
  kind: "ended",
  card: open.card,
  why: "revoked",
  endedMs: NOW_MS,
  sharedByName: EVIL,
  sharedMs: NOW_MS - HOUR_MS,
  timeZone: "UTC",
};
const PAGES: readonly SharedPage[] = [partner, incident, ended];

async function htmlOf(page: SharedPage): Promise<string> {
  const answer = await renderSharedPage(page);
  return "body" in answer && typeof answer.body === "string" ? answer.body : "";
}

test.each(PAGES)("a page of kind $kind is a document that its own policy allows", async (page) => {
  const html = await htmlOf(page);
  expect(html).toMatch(/^<!doctype html><html lang="en"><head>.*<\/body><\/html>$/s);
  expect(html).not.toMatch(/\sstyle=|<style|<script(?! src="\/share\.js")|\son\w+=/);
  expect(html).not.toContain("<b class");
  expect(html).toContain("&lt;b class=&quot;x&quot;&gt;&amp;&#x27;");
});

test("answers 200 for an open link, 410 for an ended one, and passes other responses on", async () => {
  expect(await renderSharedPage(partner)).toMatchObject({ status: 200 });
  expect(await renderSharedPage(ended)).toMatchObject({ status: 410 });
  const missing = { status: 404, headers: {}, body: null };
  expect(await renderSharedPage(missing)).toBe(missing);
});

test("contains each state that the page can reach while open, with its words", async () => {
  for (const page of [partner, incident]) {
    const html = await htmlOf(page);
    expect(html).toContain('<main class="is-live" data-delayed-in="90000" data-blind-in="240000">');
    for (const label of ["Live", "Delayed", "Can’t see"]) expect(html).toContain(`<b>${label}</b>`);
    expect(html).toMatch(/class="if-seen"><span class="badge b-stale".*?Stale/);
    expect(html).toMatch(/class="if-blind"><span class="badge was">.*?was fresh/);
  }
});

test("has a sentence for when its reader loses the connection, which names no reason of ours", async () => {
  expect(await htmlOf(partner)).toContain(
    '<p class="banner if-lost" data-text="Lost connection at {at}. Statuses are {age} old (last check 15:31:00 CET). Retrying automatically." data-age="60000"></p>',
  );
  const unseen = await htmlOf({ ...partner, now: { ...now, asOfMs: null } });
  expect(unseen).toContain('data-text="Lost connection at {at}. Retrying automatically."');
});

test("explains the bold edge only where changes are marked", async () => {
  expect(await htmlOf(partner)).toContain("A bold edge marks what has changed.");
  for (const page of [{ ...partner, shows: "now" } as const, incident])
    expect(await htmlOf(page)).not.toContain("bold edge");
});

test("a name that is too long for four columns on a phone may break between its words", async () => {
  const endpoint = { ...present("late"), endpointKey: "purchase_orders" };
  const html = await htmlOf({ ...partner, now: { ...now, endpoints: [endpoint] } });
  expect(html).toContain('<th scope="row">purchase_<wbr/>orders');
});

test("says what was promised, and not that it is at risk once the page is blind", async () => {
  const html = await htmlOf(partner);
  expect(html).toContain(
    '<small class="promised"><span class="if-seen">promised by 16:32, at risk</span><span class="if-blind">promised by 16:32</span></small>',
  );
  // The paragraph too.
  expect(html).toContain("is promised by 16:32");
});

test("has a style for the badge of every verdict", () => {
  const styles = readFileSync("public/share.css", "utf8");
  for (const word of VERDICTS) expect(styles).toContain(`.b-${word} `);
});

test("a live page begins with the paragraph for the customer, which is another once it is blind", async () => {
  const html = await htmlOf(partner);
  expect(html).toMatch(
    /<main[^>]*>.*<p class="lead"><span class="if-seen">All eight of your .+ feeds are behind\..*<\/span><span class="if-blind">Our latest information about .+ is from .+<\/span><\/p><h1>/s,
  );
  const blind = await htmlOf({ ...partner, now: { ...now, confidence: "blind" } });
  expect(blind).toMatch(/<p class="lead">We haven’t been able to check .+ since /);
  for (const none of [
    { ...partner, now: { ...now, endpoints: [] } },
    { ...partner, now: { ...now, asOfMs: null } },
    { ...partner, now: null },
    ended,
  ])
    expect(await htmlOf(none)).not.toContain("lead");
});

test("an incident’s paragraph counts all of the partner’s feeds, and claims nothing of the others", async () => {
  const two = { ...now, endpoints: ["late", "stale"].map(present) };
  const shown = incident.incident;
  if (shown === null) throw new Error("The incident is missing");
  const html = await htmlOf({ ...incident, incident: { ...shown, now: two } });
  expect(html).toContain("Two of your nine ");
  expect(html.slice(html.indexOf("lead"), html.indexOf("<h1>"))).not.toMatch(/up to date|seven/);
});

test("bars stand against the due line, then and now, where it is known how often data is expected", async () => {
  const html = await htmlOf(partner);
  expect(html).toMatch(/<td class="now">.*?aria-label="5 h 00 m old, expected every 1 h"/s);
  expect(html).toMatch(/<td class="then">.*?aria-label="1 h 00 m old, expected every 30 m"/s);
  const before = { ...past, endpoints: past.endpoints.map((one) => ({ ...one, cadenceMs: null })) };
  const older = await htmlOf({ ...partner, past: before, now: null });
  expect(older).toContain('<td class="then">');
  expect(older).not.toContain('class="bar"');
});

test("a run is shown beside a verdict only where there is no “then”, which knows of none", async () => {
  const row = rowFixture({
    frequency_minutes: 60,
    last_sync_status: "in_progress",
    last_sync_started_at: new Date(NOW_MS - 9 * HOUR_MS).toISOString(),
  });
  const stuck = { ...present("late"), judgement: verdict(row, row.known, NOW_MS) };
  const shown = { ...incident.incident, now };
  const pages = (shows: "both" | "now") => [
    { ...partner, shows, now: { ...now, endpoints: [stuck] } },
    {
      ...incident,
      shows,
      incident: { ...shown, open: new Map([["late", { verdict: "failing", shown: stuck }]]) },
    } as SharedIncidentPage,
  ];
  for (const page of pages("now")) expect(await htmlOf(page)).toContain(">stuck<");
  for (const page of pages("both")) expect(await htmlOf(page)).not.toContain(">stuck<");
});

test("where quiet time makes a feed less overdue, it is said", async () => {
  const text = "learned: quiet on Sat and Sun";
  const rested = { ...past, endpoints: past.endpoints.map((one) => ({ ...one, quiet: text })) };
  const html = await htmlOf({ ...partner, past: rested, now: null });
  expect(html.split(text)).toHaveLength(VERDICTS.length + 1);
  expect(await htmlOf(partner)).not.toContain("learned");
});
