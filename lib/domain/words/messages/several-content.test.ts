import { describe, expect, test } from "vitest";
import { contentText } from "@/lib/domain/delivery/message-content";
import type { Several } from "@/lib/domain/delivery/several";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { severalContent } from "./several-content";
import { customer, recovered, SEVERAL_MS, severalOf } from "./several-fixture";

const text = (several: Several) => contentText(severalContent(several, []));
const title = (several: Several) => severalContent(several, []).title;

describe("a partner at several customers", () => {
  test("is named with their number, and the first twelve by name", () => {
    const content = severalContent(severalOf(40), []);
    expect(content.title).toBe("Procore is behind at 40 customers since 07:02 CET");
    expect(content.items).toHaveLength(12);
    expect(content.more).toBe("and 28 more: 8 failing, 20 stale");
    expect(content.state).toBe("failing");
  });

  test("is named with the customer if there is only one left to tell of", () => {
    expect(title(severalOf(1))).toBe("Procore is behind at Northgate Builders since 07:02 CET");
  });

  test("says in a change what happened since the message before", () => {
    const all = [customer(0), customer(1, { isNew: true }), recovered(2), recovered(3)];
    const paused = recovered(4, { ending: "paused" });
    const content = severalContent(severalOf(0, { tells: "changed", all: [...all, paused] }), []);
    expect(content.news.map((one) => one.text)).toEqual([
      "Harbour is behind too",
      "Quarry Stone and Summit Homes recovered",
      "Tarn Airports: paused at the source, no data received",
    ]);
    expect(content.lead).toEqual([
      "No longer behind: 2 recovered; 1 paused at the source, no data received.",
    ]);
  });

  test("recovered only if it did at every customer", () => {
    const ended = (...all: Several["all"]) => severalOf(0, { tells: "ended", all });
    expect(title(ended(recovered(0), recovered(1)))).toBe("Procore recovered at both customers");
    const other = ended(recovered(0), recovered(1, { ending: "removed" }));
    expect(title(other)).toBe("Procore is no longer behind at 2 customers");
    expect(severalContent(other, []).state).toBe("ended");
    const alone = ended(recovered(0), recovered(1), customer(2));
    expect(title(alone)).toBe("Procore is no longer behind at 2 customers");
    expect(text(alone)).toContain("Quarry Stone: still failing since 07:04. It gets");
    expect(text(alone)).toContain("from 07:02 CET to 07:20. 2 recovered; 1 still behind.");
  });

  test("counts customers by how they ended", () => {
    const all = (["mixed", "expected", "schedule_changed"] as const).map((ending, at) =>
      recovered(at, { ending }),
    );
    expect(text(severalOf(0, { tells: "ended", all }))).toContain(
      "1 whose feeds cleared for different reasons; 1 in a planned quiet time, no data received; 1 on another schedule, no data received.",
    );
  });

  test("is named with each customer's external id, if it has one", () => {
    const all = [customer(0, { external_id: "CRM-7" }), customer(1)];
    expect(severalContent(severalOf(0, { all }), []).items.map(({ name }) => name)).toEqual([
      "Northgate Builders (CRM-7)",
      "Harbour",
    ]);
    const ended = severalOf(0, { tells: "ended", all: [recovered(0, { external_id: "CRM-7" })] });
    expect(text(ended)).toContain("Northgate Builders (CRM-7): recovered at");
  });

  test("says who acknowledged how many", () => {
    const fields = (...by: (string | null)[]) =>
      severalContent(
        severalOf(0, { all: by.map((name, at) => customer(at, { acknowledgedBy: name })) }),
        [],
      ).fields[0]?.value;
    expect(fields(null, null)).toBe("No one yet");
    expect(fields("Ana", null)).toBe("Ana (1 of 2)");
    expect(fields("Ana", "Bo")).toBe("Ana and Bo");
  });

  test("has names on one line, without invisible characters", () => {
    const name = "Evil\u202E\r\n<b>Corp</b>";
    const all = [customer(0, { name }), customer(1)];
    const about = { kind: "partner", partner: name, fleetId: "" } as const;
    expect(text(severalOf(0, { about, all }))).not.toMatch(/\u202E|\r/);
    expect(severalContent(severalOf(0, { about, all }), []).title.split("\n")).toHaveLength(1);
  });
});

describe("a company whose partners are rate limited", () => {
  const about = { kind: "limited", company: { slug: "northgate", name: "Northgate" } } as const;

  test("is named with their number", () => {
    expect(title(severalOf(30, { about }))).toBe(
      "Northgate: 30 partners are rate limited since 07:02 CET",
    );
  });

  test("recovered only if all of them did", () => {
    const ended = (...all: Several["all"]) => title(severalOf(0, { about, tells: "ended", all }));
    expect(ended(recovered(0), recovered(1))).toBe(
      "Northgate: both rate-limited partners recovered",
    );
    expect(ended(recovered(0), recovered(1, { ending: "paused" }))).toBe(
      "Northgate: 2 partners are no longer behind",
    );
  });

  test("lasted for a time that isn't known if the source's clock was set back meanwhile", () => {
    const one = recovered(0);
    const setBack = { ...one, endedMs: one.sinceMs - 1 };
    const { lead } = severalContent(severalOf(0, { about, tells: "ended", all: [setBack] }), []);
    expect(lead).toEqual([
      "The source’s clock went back meanwhile, so we can’t tell how long it lasted.",
    ]);
  });
});

describe("companies of a host that can't be seen", () => {
  const about = { kind: "host", host: "https://api.example", reason: "unreachable" } as const;

  test("are named with the host and the reason", () => {
    expect(text(severalOf(2, { about }))).toBe(
      [
        "We haven’t been able to see 2 customers at api.example since 07:02 CET",
        "The source isn’t responding. Until we can, we don’t know how their partners are doing.",
        "Northgate Builders",
        "Harbour",
      ].join("\n"),
    );
  });

  test("are seen again together", () => {
    const all = [recovered(0), recovered(1)];
    expect(title(severalOf(0, { about, tells: "ended", all }))).toBe(
      "We can see 2 customers at api.example again",
    );
  });

  test("say when each was seen again, where that differs", () => {
    const all = [recovered(0), recovered(1, { endedMs: SEVERAL_MS - 7 * MINUTE_MS })];
    expect(text(severalOf(0, { about, tells: "ended", all }))).toBe(
      [
        "We can see 2 customers at api.example again",
        "We couldn’t see all of them from 07:02 CET to 07:20 (18 m). Incidents that began or ended meanwhile have their own messages.",
        "Northgate Builders: seen again at 07:20.",
        "Harbour: seen again at 07:15.",
      ].join("\n"),
    );
  });
});
