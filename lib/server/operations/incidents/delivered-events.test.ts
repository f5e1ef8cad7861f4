import { describe, expect, test } from "vitest";
import { deliveredEvents } from "./delivered-events";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

type Delivery = Parameters<typeof deliveredEvents>[0][number];

function delivery(seq: number, more: Partial<Delivery> = {}): Delivery {
  const at = new Date(START_MS + seq * 60_000);
  return {
    seq,
    id: `message-${seq}`,
    destination: "channel:ops",
    key: `incident:7:reminder:${at.getTime()}`,
    type: "incident.changed",
    toName: "Ops",
    state: "sent",
    said: null,
    settledAt: at,
    createdAt: at,
    ...more,
  };
}
const texts = (deliveries: readonly Delivery[]) =>
  deliveredEvents(deliveries).map(({ at, text }) => `${at.slice(11, 16)} ${text}`);

describe("delivery events of a timeline", () => {
  test("include each message except reminders", () => {
    expect(
      texts([
        delivery(1, { key: "incident:7:opened", type: "incident.opened" }),
        delivery(2, { key: "incident:7:worse:stale" }),
        delivery(3, { key: "incident:7:ended", type: "incident.ended" }),
      ]),
    ).toEqual([
      "12:01 Opening message sent to Ops",
      "12:02 Update sent to Ops",
      "12:03 Closing message sent to Ops",
    ]);
  });

  test("reduce a month of reminders to the last one per destination, with a count", () => {
    const month = Array.from({ length: 2_880 }, (_, at) =>
      delivery(at, at % 2 === 0 ? {} : { destination: "channel:mail", toName: "Mail" }),
    );
    expect(texts(month)).toEqual([
      "11:58 Last of 1,440 reminders sent to Ops",
      "11:59 Last of 1,440 reminders sent to Mail",
    ]);
  });

  test("reduce updates likewise, apart from reminders", () => {
    expect(
      texts([
        delivery(1, { key: "incident:7:event:2" }),
        delivery(2),
        delivery(3, { key: "incident:7:expiry:1700000000000" }),
      ]),
    ).toEqual(["12:03 Last of 2 updates sent to Ops", "12:02 Reminder sent to Ops"]);
  });

  test("keep failed and pending reminders apart", () => {
    expect(
      texts([
        delivery(1),
        delivery(2, { state: "failed", said: "It answered 404." }),
        delivery(3, { state: "failed", said: "It answered 404." }),
        delivery(4, { state: "queued", settledAt: null }),
      ]),
    ).toEqual([
      "12:01 Reminder sent to Ops",
      "12:03 Last of 2 reminders couldn’t be sent to Ops; we gave up. It answered 404.",
      "12:04 Reminder is waiting to be sent to Ops.",
    ]);
  });
});
