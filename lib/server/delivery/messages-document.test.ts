import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withContent, type Message } from "@/lib/domain/delivery/message";
import { contentText, type MessageContent } from "@/lib/domain/delivery/message-content";
import {
  blindContent,
  briefContent,
  briefLine,
  incidentLine,
  seenAgainContent,
  summaryContent,
} from "@/lib/domain/words/messages/company-content";
import { createReadingClock } from "@/lib/domain/words/customer/reading-clock";
import { incidentContent, type IncidentStory } from "@/lib/domain/words/messages/incident-content";
import {
  ago,
  incident,
  member,
  STORY,
  TIME_ZONE,
  WRITTEN_MS,
} from "@/lib/domain/words/messages/story-fixture";
import { sendMail } from "./send-mail";
import { slackMessage, slackReply } from "./slack/slack-blocks";
import { severalContent } from "@/lib/domain/words/messages/several-content";
import { customer, recovered, severalOf } from "@/lib/domain/words/messages/several-fixture";
import { promiseContent } from "@/lib/domain/words/messages/promise-content";
import { promised } from "@/lib/domain/words/messages/promise-fixture";
import { cardOf } from "./teams";

/** The manual shows what messages say; this test writes the same messages. */
const DOCUMENT = readFileSync("docs/messages.md", "utf8");
/** Contents of its fenced blocks, in order. */
const BLOCKS = [...DOCUMENT.matchAll(/^```(text|json)\n([^]*?)\n```$/gm)].map(
  ([, language, body = ""]): unknown => (language === "json" ? JSON.parse(body) : body),
);

const LIMITED = {
  kind: "limited",
  company: { slug: "northgate", name: "Northgate Builders" },
} as const;
const HOST = { kind: "host", host: "https://api.example", reason: "unreachable" } as const;
const PARTNERS = ["Procore", "Aconex", "Sage 300"].map((name, at) => customer(at, { name }));
const SEVERAL = [
  severalOf(40),
  severalOf(0, {
    tells: "ended",
    all: [recovered(0), recovered(1), recovered(2, { ending: "paused" }), customer(3)],
  }),
  severalOf(0, { about: LIMITED, all: PARTNERS }),
  severalOf(3, { about: HOST }),
  severalOf(0, { about: HOST, tells: "ended", all: [recovered(0), recovered(1), recovered(2)] }),
];

const PROMISES = [
  promised("at_risk", ["at_risk", "at_risk"]),
  promised("missed", ["missed", "met"]),
  promised("met", ["met", "met"]),
  promised("ended", ["not_observed", "met"]),
];

const URL = "https://plumbline.example/northgate/incidents/40";
const BASE = {
  id: "msg_5Gk1n0v3Yt8s2QeXr7Lw9",
  at: new Date(WRITTEN_MS).toISOString(),
  company: { slug: "northgate", name: "Northgate Builders" },
  incident: null,
  url: "https://plumbline.example/northgate",
};

function ofIncident(type: Message["type"], more: Partial<IncidentStory> = {}): Message {
  const story = { ...STORY, ...more };
  const content = incidentContent(story);
  return withContent({ ...BASE, type, incident: story.incident, url: URL }, content);
}

function ofCompany(type: Message["type"], content: MessageContent): Message {
  return withContent({ ...BASE, type }, content);
}

const acknowledged = { by: "Ana Rask", at: ago(12), until: null };
const GIVEN = {
  writtenMs: WRITTEN_MS,
  timeZone: TIME_ZONE,
  foot: STORY.foot,
  company: "Northgate Builders",
};
const OVER = { ended_at: ago(6), verdict: "fresh" } as const;
const ended = (more: Partial<IncidentStory["incident"]>, ...endings: [string, object][]) =>
  ofIncident("incident.ended", {
    tells: "ended",
    incident: incident(
      endings.map(([key, how]) => member(key, { ...OVER, ...how })),
      { state: "ended", ended_at: ago(6), verdict: null, acknowledged, ...more },
    ),
    lastData: new Map([["submittals", Date.parse(ago(17 * 60))]]),
    paragraph: null,
  });

const opened = ofIncident("incident.opened");
const changed = ofIncident("incident.changed", {
  tells: "changed",
  incident: { ...STORY.incident, acknowledged },
  news: [
    { text: "submittals is late too", isMinor: false },
    { text: "Ana Rask acknowledged it: “Asked Procore support, ticket 88213.”", isMinor: false },
  ],
});
const brief = briefContent({
  ...GIVEN,
  fromMs: Date.parse(ago(72 * 60)),
  untilMs: WRITTEN_MS,
  open: 1,
  isSeen: true,
  partners: "all",
  isMine: false,
  companies: [
    briefLine({
      company: "Northgate Builders",
      began: 2,
      ended: 1,
      open: 1,
      unknown: 0,
      removed: 0,
      observed: 1,
    }),
  ],
});

/** What a mail to a channel contains. */
async function mailOf(message: Message): Promise<{ subject: string; text: string }> {
  const mails: { subject: string; text: string }[] = [];
  const mailer = {
    send: (mail: { subject: string; text: string }) => {
      mails.push(mail);
      return Promise.resolve("accepted" as const);
    },
  };
  const thread = { firstId: message.id, reference: null };
  await sendMail(mailer, { to: ["ops@plumbline.example"] }, message, thread, "plumbline.example");
  const [mail] = mails;
  if (mail === undefined) throw new Error("no mail was sent");
  return mail;
}

test("docs/messages.md shows every message as it is sent", async () => {
  const { subject, text } = await mailOf(opened);
  const { content: _, ...webhook } = opened;
  const expected: unknown[] = [
    opened.text,
    changed.text,
    ofIncident("incident.changed", { tells: "worse" }).text,
    ofIncident("incident.changed", { tells: "reminder" }).text,
    ended(
      { ending: "recovered" },
      ["daily_logs", { ending: "data_received" }],
      ["rfis", { ending: "data_received" }],
    ).text,
    ended(
      { ending: "mixed" },
      ["rfis", { ending: "data_received" }],
      ["daily_logs", { ending: "data_received" }],
      ["submittals", { ending: "paused" }],
    ).text,
    ofCompany(
      "company.blind",
      blindContent({
        ...GIVEN,
        sinceMs: Date.parse(ago(6)),
        because: "the source isn’t responding",
      }),
    ).text,
    ofCompany(
      "company.seen_again",
      seenAgainContent({
        ...GIVEN,
        fromMs: Date.parse(ago(20)),
        untilMs: WRITTEN_MS,
        happened: [
          `Began: ${incidentLine(STORY.incident, createReadingClock({ nowMs: WRITTEN_MS, timeZone: TIME_ZONE }))}`,
          "Recovered: Aconex",
        ],
      }),
    ).text,
    ofCompany("brief", summaryContent({ ...GIVEN, open: [STORY.incident], atMs: WRITTEN_MS })).text,
    ofCompany("brief", brief).text,
    ...SEVERAL.map((several) => contentText(severalContent(several, []))),
    ...PROMISES.map((planned) =>
      contentText(promiseContent(planned, { ...GIVEN, atMs: WRITTEN_MS })),
    ),
    webhook,
    slackMessage(opened, { isInteractive: false }),
    slackReply(changed),
    cardOf(opened),
    `Subject: ${subject}\n\n${text.trimEnd()}`,
  ];
  expect(BLOCKS).toEqual(expected);
});
