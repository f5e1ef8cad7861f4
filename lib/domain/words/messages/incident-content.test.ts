import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentText, MAX_ITEMS } from "@/lib/domain/delivery/message-content";
import { MEMBER_ENDINGS, TROUBLES, type IncidentEnding } from "@/lib/domain/incidents/incident";
import { incidentContent, type IncidentStory } from "./incident-content";
import { ago, feed, incident, member, STORY } from "./story-fixture";

const contentOf = (more: Partial<IncidentStory> = {}) => incidentContent({ ...STORY, ...more });

describe("an open incident", () => {
  test("names each feed with its own verdict, how overdue it is, its data and why", () => {
    expect(contentOf().items).toEqual([
      {
        name: "daily_logs",
        state: "stale",
        how: "Stale, 2 h 00 m overdue",
        facts:
          "Data is from 04:22, expected every 1 h. The last run was rate limited by the partner at 07:14.",
      },
      {
        name: "submittals",
        state: "late",
        how: "Late, 40 m overdue",
        facts:
          "Data is from 05:42, expected every 1 h. Since 06:42. The last run was rate limited by the partner at 07:14.",
      },
    ]);
  });

  test("says since when, what is next, how many feeds and who", () => {
    const { title, lead, fields, badge, state } = contentOf();
    expect({ title, badge, state }).toEqual({
      title: "Procore at Northgate Builders needs attention: 1 feed stale, 1 late",
      badge: "Stale",
      state: "stale",
    });
    expect(lead).toEqual(["Since 05:37 CET.", "Next attempt 07:35."]);
    expect(fields).toEqual([
      { label: "Feeds behind", value: "2 of 9" },
      { label: "Acknowledged", value: "No one yet" },
      { label: "Owner", value: "Tom Berg" },
    ]);
  });

  test("dates what was on another day", () => {
    const began_at = ago(24 * 60);
    const given = incident([member("daily_logs", { began_at })], { began_at });
    expect(contentOf({ incident: given }).lead[0]).toBe("Since Sun 22 Nov, 07:22 CET.");
  });

  test("claims its verdict of all feeds only if they share it", () => {
    const one = incident([member("daily_logs")]);
    expect(contentOf({ incident: one }).title).toBe("Procore at Northgate Builders is stale");
    expect(contentOf({ incident: one, tells: "worse" }).title).toBe(
      "Procore at Northgate Builders got worse: now stale",
    );
    expect(contentOf({ tells: "worse" }).title).toBe(
      "Procore at Northgate Builders got worse: 1 feed stale, 1 late",
    );
  });

  test("says who acknowledged it, since when and until when", () => {
    const acknowledged = { by: "Ana Rask", at: ago(12), until: ago(-60) };
    const given = { ...STORY.incident, acknowledged, owner: null };
    expect(contentOf({ incident: given }).fields.slice(1)).toEqual([
      { label: "Acknowledged", value: "Ana Rask, since 07:10, until 08:22" },
      { label: "Owner", value: "Administrators" },
    ]);
  });

  test("gives a cause only where the data does", () => {
    const failing = incident([member("rfis", { verdict: "failing" })], { verdict: "failing" });
    const facts = (judgement: ReturnType<typeof feed>) =>
      contentOf({ incident: failing, feeds: new Map([["rfis", judgement]]) }).items[0]?.facts;
    expect(facts(feed(30, 60, { last_sync_status: "failed" }, 3))).toBe(
      "Data is from 06:52, expected every 1 h. 3 runs in a row didn’t complete, the last at 07:14.",
    );
    const stale = incident([member("rfis")]);
    const overdue = new Map([["rfis", feed(180, 60)]]);
    expect(contentOf({ incident: stale, feeds: overdue }).items[0]?.facts).toBe(
      "Data is from 04:22, expected every 1 h.",
    );
  });

  test("says that the next attempt hasn’t started, or that no time is set for it", () => {
    const one = incident([member("rfis")]);
    const next = (next_sync_at: string | null, started = 180) => {
      const row = { next_sync_at, last_sync_started_at: ago(started) };
      return contentOf({ incident: one, feeds: new Map([["rfis", feed(180, 60, row)]]) }).lead[1];
    };
    expect(next(ago(30))).toBe("The next attempt was due at 06:52 and hasn’t started.");
    expect(next(null)).toBe("No time is set for the next attempt.");
    expect(next(ago(30), 9)).toBe("No time is set for the next attempt.");
  });

  test("leaves out figures that the last check doesn’t have, or that contradict the verdict", () => {
    const one = incident([member("rfis")]);
    for (const feeds of [null, new Map([["rfis", feed(20, 60)]])]) {
      const { items, lead } = contentOf({ incident: one, feeds });
      expect(items[0]).toMatchObject({ how: "Stale", facts: "" });
      expect(lead[0]).toBe("Since 05:37 CET.");
    }
    expect(contentOf({ incident: one, feeds: null }).fields[0]?.value).toBe("1");
  });

  test("counts those beyond six by verdict", () => {
    const members = Array.from({ length: 20 }, (_, index) =>
      member(`feed_${index}`, { verdict: index < 5 ? "failing" : index < 18 ? "late" : "unknown" }),
    );
    const content = contentOf({ incident: incident(members, { verdict: "failing" }) });
    expect(content.items.map(({ name }) => name)).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => `feed_${index}`),
    );
    expect(content.more).toBe("And 14 more: 12 late, 2 can’t tell.");
    expect(content.fields[0]?.value).toBe("18 of 20, 2 can’t tell");
  });

  test("keeps those that are over, with how they ended", () => {
    const recovered = member("submittals", {
      ended_at: ago(3),
      ending: "data_received",
      verdict: "fresh",
    });
    const { title, items } = contentOf({ incident: incident([recovered, member("daily_logs")]) });
    expect(title).toBe("Procore at Northgate Builders is stale");
    expect(items[1]).toEqual({
      name: "submittals",
      state: "recovered",
      how: "Data received at 07:19",
      facts: "",
    });
    const calm = contentOf({ incident: incident([recovered], { verdict: null }) });
    expect(calm.title).toBe("Procore at Northgate Builders is settling");
    expect(calm.badge).toBe("Settling");
    expect(calm.lead).toContain("No feed of this incident is behind now.");
    const quiet = member("daily_logs", { ended_at: ago(3), ending: "expected" });
    expect(contentOf({ incident: incident([recovered, quiet], { verdict: null }) }).lead).toContain(
      "No feed of this incident is behind outside of planned quiet now.",
    );
  });

  test("dates data that was reported late by its own time", () => {
    const late = member("submittals", {
      ended_at: ago(105),
      ending: "data_received",
      received_at: ago(130),
      verdict: "fresh",
    });
    expect(contentOf({ incident: incident([late, member("daily_logs")]) }).items[1]?.how).toBe(
      "Data received at 05:12, reported late",
    );
  });

  test("says that no one has acknowledged it in a reminder", () => {
    const content = contentOf({ tells: "reminder" });
    expect(content.title).toBe(
      "Procore at Northgate Builders still needs attention: 1 feed stale, 1 late",
    );
    expect(content.news).toEqual([{ text: "No one has acknowledged it yet", isMinor: false }]);
  });

  test("dates figures that aren’t from now", () => {
    expect(contentOf({ writtenMs: STORY.writtenMs + 5 * 60_000 }).lead.at(-1)).toBe(
      "Figures are from our last check, at 07:22.",
    );
  });

  test("says how much of it wasn’t checked", () => {
    expect(contentOf({ unseenMs: 9 * 60_000 }).lead).toContain(
      "We couldn’t check 9 m of that time.",
    );
  });
});

describe("an ending", () => {
  const over = (key: string, ending: (typeof MEMBER_ENDINGS)[number], more = {}) =>
    member(key, { ended_at: ago(6), ending, verdict: "fresh", ...more });
  const ended = (
    members: readonly ReturnType<typeof member>[],
    ending: IncidentEnding,
    more: Partial<IncidentStory> = {},
  ) =>
    contentOf({
      tells: "ended",
      incident: incident(members, { state: "ended", ended_at: ago(6), ending, verdict: null }),
      lastData: new Map(),
      ...more,
    });

  test("names every member whose ending is not data, with its last data", () => {
    const content = ended(
      [
        over("rfis", "data_received"),
        over("daily_logs", "data_received"),
        over("submittals", "paused"),
      ],
      "mixed",
      { lastData: new Map([["submittals", Date.parse(ago(24 * 60))]]) },
    );
    expect(content.title).toBe("Procore at Northgate Builders: incident ended");
    expect(content.badge).toBe("Mixed endings");
    expect(content.lead).toEqual([
      "rfis and daily_logs received data; submittals was paused at the source and has had no data since Sunday 07:22 CET.",
      "It lasted 1 h 39 m, from 05:37 to 07:16.",
    ]);
  });

  test("says that the source’s clock went back where it ends before it began", () => {
    const given = incident([over("rfis", "eased")], {
      state: "ended",
      began_at: ago(-70),
      ended_at: ago(6),
      ending: "eased",
      verdict: null,
    });
    expect(ended([], "eased", { incident: given }).lead.at(-1)).toBe(
      "The source’s clock went back meanwhile, so we can’t tell how long it lasted.",
    );
  });

  test("says recovered only if every member’s ending is data or a completed run", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...MEMBER_ENDINGS), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(...TROUBLES),
        (endings, worst) => {
          const good = endings.every((one) => one === "data_received" || one === "run_completed");
          const members = endings.map((ending, index) => over(`f${index}`, ending));
          const text = contentText(
            contentOf({
              tells: "ended",
              incident: incident(members, {
                state: "ended",
                ended_at: ago(6),
                ending: good ? "recovered" : "mixed",
                worst_verdict: worst,
              }),
            }),
          );
          expect(text.includes("recovered")).toBe(good);
          for (const { endpoint_key: key, ending } of members)
            if (ending !== "data_received" && ending !== "run_completed")
              expect(text).toMatch(new RegExp(`(^|; |\\n)${key} `));
          const named = members.filter(({ endpoint_key: key, ending }) =>
            ending === "data_received" ? new RegExp(`\\b${key}\\b`).test(text) : false,
          );
          expect(named.length).toBeLessThanOrEqual(MAX_ITEMS);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("says of a feed that rests by its learned week that it does", () => {
    const content = ended([over("rfis", "eased", { is_resting: true })], "eased", {
      lastData: new Map([["rfis", Date.parse(ago(24 * 60))]]),
    });
    expect(content.title).toBe(
      "Procore at Northgate Builders: incident ended, resting at this time of the week, as learned, no data received",
    );
    expect(content.lead[0]).toBe(
      "rfis rests at this time of the week, as learned, and has had no data since Sunday 07:22 CET.",
    );
  });

  test("dates data from before the trouble, which was reported late", () => {
    const content = ended([over("rfis", "data_received", { received_at: ago(110) })], "recovered");
    expect(content.title).toBe("Procore at Northgate Builders recovered");
    expect(content.lead[0]).toBe("rfis (data from 05:32 CET, reported late) received data.");
  });

  test("says what else it was if it is no recovery", () => {
    expect(ended([over("rfis", "schedule_changed")], "schedule_changed").title).toBe(
      "Procore at Northgate Builders: incident ended, schedule changed, no data received",
    );
  });
});
