import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { expect, test, type Browser } from "@playwright/test";
import { channels, deliveries, rules } from "@/lib/server/store/schema/delivery";
import { people } from "@/lib/server/store/schema/people";
import type { Channel } from "@/lib/contracts/delivery";
import type { Message, MessageType } from "@/lib/domain/delivery/message";
import {
  AMPLE_BUDGET,
  addPerson,
  connectedTo,
  expectNoViolationInAnyForm,
  onRecord,
  signIn,
  signInByRequest,
  startApp,
  type App,
} from "./app";
import { startMisbehavingUpstream } from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

// Notifications: rules and their rehearsal, personal alerts and inbox, and dead channels.

const COMPANY = "northgate";

let app: App;
let syncAlerts: string;
test.beforeAll(async ({ playwright }) => {
  app = await startApp({ V3_SERVICE: "demo", ALLOWED_TARGETS: "127.0.0.0/8" });
  const request = await playwright.request.newContext();
  await signInByRequest(request, app);
  const made = await request.post(`${app.address}/api/channels`, {
    headers: { Origin: app.address },
    data: {
      kind: "slack_webhook",
      name: "#sync-alerts",
      settings: { url: "https://127.0.0.1:9/services" },
    },
  });
  expect(made.status()).toBe(201);
  syncAlerts = ((await made.json()) as { data: Channel }).data.id;
  await request.dispose();
});
test.afterAll(() => app.end());

/** Adds a message to a person's inbox. @returns its id */
async function tell(email: string, text: string, type: MessageType = "incident.opened") {
  const id = randomUUID();
  await onRecord(app, async ({ orm }) => {
    const [person] = await orm.select().from(people).where(eq(people.email, email));
    const now = new Date();
    await orm.insert(deliveries).values({
      id,
      destination: `inbox:${person?.id}`,
      key: id,
      personId: person?.id ?? "",
      to: "inbox",
      toName: "",
      company: COMPANY,
      incidentId: 1,
      thread: id,
      type,
      dueAt: now,
      createdAt: now,
      message: {
        id,
        type,
        at: now.toISOString(),
        company: { slug: COMPANY, name: "Northgate Builders" },
        incident: null,
        url: `${app.address}/${COMPANY}/incidents/1`,
        text,
      },
      state: "sent",
      nextAt: now,
      settledAt: now,
    });
  });
  return id;
}

test("lets an administrator rehearse, save, change and delete a rule", async ({ page }) => {
  // The demo's past is written after its start, and minutes later on a busy machine.
  test.setTimeout(900_000);
  await signIn(page, app, "/settings/rules");
  const ended = `${app.address}/api/companies/northgate/incidents?state=ended`;
  await expect
    .poll(async () => JSON.stringify((await (await page.request.get(ended)).json()).data), {
      timeout: 600_000,
    })
    .toContain(`"failing"`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No rules");
  await expectNoViolationInAnyForm(page);
  await page.getByRole("button", { name: "Add a rule" }).click();
  await expect(page).toHaveURL(/\?rule=new$/);
  const rehearsal = page.getByRole("complementary", { name: "Rehearsal" });
  await expect(rehearsal).toContainText(/Would have sent [\d,]+ messages in the past 30 days/);

  // All missing settings are reported at once, and nothing is sent.
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Give the rule a name." })).toBeVisible();
  const noChannel = page.getByRole("alert").filter({ hasText: "Choose a channel." });
  await expect(noChannel).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.getByRole("textbox", { name: "Name" }).fill("Northgate, failing");
  await expect(page.getByText("Give the rule a name.")).toHaveCount(0);
  await expect(noChannel).toBeVisible();
  await page.getByRole("button", { name: "Remove All, including new ones" }).first().click();
  await expect(rehearsal).toHaveText("Complete the form to see what it would have sent.");
  await page.getByLabel("Add a customer").selectOption({ label: "Northgate Builders" });
  await page.getByRole("radio", { name: "Failing" }).click();
  await page.getByLabel("Add a channel").selectOption({ label: "#sync-alerts" });
  await expect(noChannel).toHaveCount(0);
  await page.getByRole("checkbox", { name: "Hold messages" }).check();
  const days = page.getByRole("group", { name: "Quiet hours start on" });
  await days.getByRole("button", { name: "Saturday" }).click();
  // Times are typed in any usual way.
  const starts = page.getByRole("textbox", { name: "Quiet hours: From", exact: true });
  await starts.fill("half past nine");
  await page.getByRole("button", { name: "Save rule" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter a time like" })).toBeVisible();
  await expect(starts).toBeFocused();
  await starts.fill("9.30 pm");
  await page.getByRole("checkbox", { name: "Send a brief" }).check();
  await expect(starts).toHaveValue("21:30");
  await expect(rehearsal).toContainText(/at \u2068?Northgate Builders/);
  await expect(rehearsal).not.toContainText("Harbour Civil Works");
  await expectNoViolationInAnyForm(page);
  await page.getByRole("button", { name: "Save rule" }).click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 rule");
  const row = page.getByRole("row").filter({ hasText: "Northgate, failing" });
  await expect(row).toContainText("#sync-alerts");
  await expect(row).toContainText("Quiet 21:30–06:00");
  const [saved] = await onRecord(app, ({ orm }) => orm.select().from(rules));
  expect(saved?.channelIds).toEqual([syncAlerts]);
  expect(saved?.rule).toMatchObject({
    companies: [COMPANY],
    from_verdict: "failing",
    quiet: { days: ["mon", "tue", "wed", "thu", "fri", "sun"], from: "21:30", until: "06:00" },
    brief: { days: ["mon", "tue", "wed", "thu", "fri"], at: "08:00" },
  });

  await row.getByRole("button", { name: "Edit: Northgate, failing" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Everyone at Northgate");
  await page.getByRole("button", { name: "Save rule" }).click();
  await page.getByRole("button", { name: "Edit: Everyone at Northgate" }).click();
  await page.getByRole("button", { name: "Delete rule" }).click();
  const sure = page.getByRole("alertdialog");
  await expect(sure).toContainText("Delete Everyone at Northgate?");
  await sure.getByRole("button", { name: "Delete rule" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No rules");
});

test("lets members choose their alerts, and hides rules and channels from them and viewers", async ({
  page,
  browser,
}) => {
  const member = await addPerson(app, { name: "Mo Berg", role: "member", company: COMPANY });
  await signIn(page, app, "/settings/alerts", member);
  await page.getByRole("button", { name: "Set up my alerts" }).click();
  const rehearsal = page.getByRole("complementary", { name: "Rehearsal" });
  // Alerts start with incidents of one's own companies, and a new member has none.
  await expect(rehearsal).toContainText("Would have sent nothing in the past 30 days");
  await expect(rehearsal).toContainText("You neither own a customer nor cover for one");
  await rehearsal.getByRole("button", { name: "Include all customers" }).click();
  await expect(page.getByRole("checkbox", { name: "Mine" })).not.toBeChecked();
  await expect(rehearsal).toContainText(/Would have sent [\d,]+ messages in the past 30 days/);
  await expect(rehearsal).toContainText("Northgate Builders");
  await expect(rehearsal).not.toContainText("Harbour");
  await page.getByRole("checkbox", { name: "Inbox" }).uncheck();
  await page.getByRole("button", { name: "Save alerts" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Choose Inbox or Email." })).toBeVisible();
  await page.getByRole("checkbox", { name: "Inbox" }).check();
  await page.getByRole("checkbox", { name: "Mine" }).check();
  await expect(rehearsal).toContainText("Would have sent nothing in the past 30 days");
  await expectNoViolationInAnyForm(page);
  await page.getByRole("button", { name: "Save alerts" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "Mine" })).toBeChecked();
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByRole("heading", { name: "No alerts yet" })).toBeVisible();
  for (const path of ["channels", "rules"]) {
    await page.goto(`${app.address}/settings/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You can’t manage/);
  }

  const viewer = await addPerson(app, { name: "Vi Holm", role: "viewer", company: COMPANY });
  const viewers = await browser.newPage();
  await signIn(viewers, app, "/settings/alerts", viewer);
  await expect(viewers.getByRole("heading", { level: 1 })).toHaveText("Alerts are for members");
  await expect(viewers.getByRole("button", { name: /^Inbox/ })).toHaveCount(0);
});

/**
 * A page in a browser that grants notifications on request: headless ones deny them.
 * @returns `shown`: notifications so far, and `permission requested`
 */
async function openWithNotifications(browser: Browser) {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const shown: string[] = [];
    let permission = "default";
    class Notification extends EventTarget {
      static get permission() {
        return permission;
      }
      static requestPermission() {
        shown.push("permission requested");
        permission = "granted";
        return Promise.resolve(permission);
      }
      constructor(title: string) {
        super();
        shown.push(title);
      }
    }
    Object.assign(window, { Notification, shown });
  });
  const page = await context.newPage();
  const shown = () => page.evaluate(() => (window as unknown as { shown: string[] }).shown);
  return { page, shown };
}

test("opens the inbox from the bell, marks it as read, and requests notification permission only on a click", async ({
  browser,
}) => {
  const { page, shown } = await openWithNotifications(browser);
  const member = await addPerson(app, { name: "Bo Ek", role: "member", company: COMPANY });
  await tell(member.email, "Procore at Northgate Builders is failing: drawings.");
  await tell(member.email, "Sage 300 at Northgate Builders recovered.", "incident.ended");
  await page.clock.install();
  await signIn(page, app, `/${COMPANY}/report`, member);
  await page.clock.runFor(4_000);
  const bell = page.getByRole("button", { name: /^Inbox/ });
  await expect(bell).toHaveText("Inbox2 unread");
  expect(await shown()).toEqual([]);
  await bell.click();
  const inbox = page.getByRole("dialog", { name: "Inbox" });
  await expect(inbox.getByRole("listitem")).toHaveCount(2);
  await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
  await inbox.getByRole("button", { name: "Notify me in this browser" }).click();
  await expect(inbox.getByRole("button", { name: "Stop browser notifications" })).toBeVisible();
  await inbox.getByRole("button", { name: "Mark all as read" }).click();
  await expect(inbox.getByRole("status")).toHaveText("all read");
  await expect(bell).toHaveText("Inbox: none unread");

  await tell(member.email, "Aconex at Northgate Builders is late: mail.");
  await page.clock.runFor(31_000);
  await expect(bell).toHaveText("Inbox1 unread");
  expect(await shown()).toEqual([
    "permission requested",
    "Aconex at Northgate Builders is late: mail.",
  ]);
  await inbox.getByRole("link", { name: "Aconex at Northgate Builders is late: mail." }).click();
  await expect(page).toHaveURL(new RegExp(`/${COMPANY}/incidents/1$`));
  await expect(inbox).toHaveCount(0);
});

test("notifies a channel and the bell of a failing endpoint, and of its recovery", async ({
  browser,
}) => {
  const received: { body: Message; id: unknown }[] = [];
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (piece: Buffer) => (text += piece.toString()));
    request.on("end", () => {
      received.push({ body: JSON.parse(text) as Message, id: request.headers["webhook-id"] });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const rows = sampleRows(3, Date.now());
  const upstream = await startMisbehavingUpstream({ rows });
  const own = await startApp({
    ...connectedTo(upstream),
    MESSAGE_WAIT_SECONDS: "0",
    ...AMPLE_BUDGET,
    INCIDENT_CLOSE_MINUTES: "0",
    ALLOWED_TARGETS: "127.0.0.0/8",
  });
  try {
    const { page, shown } = await openWithNotifications(browser);
    await page.clock.install();
    await signIn(page, own, "/main/report");
    const send = async (method: "post" | "put", path: string, data: object) => {
      const headers = { origin: own.address };
      const answer = await page.request[method](`${own.address}/api${path}`, { data, headers });
      expect(answer.ok()).toBe(true);
      return (await answer.json()) as { data: { id: string } };
    };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const hook = { kind: "webhook", name: "Ops hook", settings: { url } };
    const { data: channel } = await send("post", "/channels", hook);
    await send("post", "/rules", { name: "Everything", channels: [channel.id] });
    const alerts = { inbox: true, mail: false, only_mine: false };
    await send("put", "/me/alerts", { alerts });
    const bell = page.getByRole("button", { name: /^Inbox/ });
    await page.clock.runFor(4_000);
    await expect(bell).toHaveText("Inbox: none unread");
    await bell.click();
    const inbox = page.getByRole("dialog", { name: "Inbox" });
    await inbox.getByRole("button", { name: "Notify me in this browser" }).click();

    const [first, ...others] = rows;
    if (first === undefined) throw new Error("the upstream has no endpoint");
    const set = (changes: Partial<typeof first.attributes>) =>
      upstream.setRows([{ ...first, attributes: { ...first.attributes, ...changes } }, ...others]);
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    set({
      last_updated_at: hoursAgo(3),
      last_sync_status: "failed",
      last_sync_started_at: hoursAgo(0.2),
      last_sync_finished_at: hoursAgo(0.1),
    });
    await expect.poll(() => received.map(({ body }) => body.type)).toEqual(["incident.opened"]);
    const [opening] = received;
    const titleOf = (text = "") => text.split("\n")[0] ?? "";
    const name = first.attributes.partner_name;
    expect(opening?.id).toBe(opening?.body.id);
    expect(opening?.body.text).toContain(
      `${name} at ${opening?.body.company?.name ?? ""} is failing`,
    );
    await page.clock.runFor(31_000);
    await expect(bell).toHaveText("Inbox1 unread");
    await expect(inbox.getByRole("link", { name: titleOf(opening?.body.text) })).toBeVisible();

    const now = hoursAgo(0);
    set({ last_updated_at: now, last_sync_started_at: now, last_sync_finished_at: now });
    await expect
      .poll(() => received.map(({ body }) => body.type))
      .toEqual(["incident.opened", "incident.ended"]);
    const ending = received[1]?.body;
    expect(ending?.text).toContain("recovered");
    await page.clock.runFor(31_000);
    await expect(bell).toHaveText("Inbox2 unread");
    expect(await shown()).toEqual([
      "permission requested",
      titleOf(opening?.body.text),
      titleOf(ending?.text),
    ]);
    await page.goto(opening?.body.url ?? "");
    await expect(page.getByText("Closing message sent to Ops hook")).toBeVisible();
  } finally {
    await own.end();
    await upstream.close();
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  }
});

test("adds, tests and removes a channel, and keeps it when its receiver is unavailable", async ({
  page,
}) => {
  const received: string[] = [];
  let status = 200;
  const receiver = createServer((request, response) => {
    received.push(String(request.headers["webhook-id"]));
    request.resume().on("end", () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  await signIn(page, app, "/settings/channels");
  await page.getByRole("button", { name: "Add a channel" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind").selectOption({ label: "Signed webhook" });
  await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await expect(dialog.getByRole("alert").filter({ hasText: "Fill in this field." })).toHaveCount(2);
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await dialog.getByLabel("Name").fill("Ops hook");
  await dialog.getByLabel("Address").fill(`http://127.0.0.1:${port}/hook`);
  await dialog.getByRole("button", { name: "Add channel" }).click();
  await expect(page.getByLabel("Signing secret")).toHaveValue(/^whsec_/);
  await page.keyboard.press("Escape");
  await page.getByLabel("I’ve stored the secret").check();
  await page.getByRole("button", { name: "Done" }).click();
  const focused = page.locator("main").locator(":focus");
  await expect(focused).toHaveCount(1);

  const row = page.getByRole("row").filter({ hasText: "Ops hook" });
  await expect(row).toContainText("Not used yet");
  await row.getByRole("button", { name: "Send a test: Ops hook" }).click();
  const result = page.getByRole("row").filter({ hasText: /^Test (accepted|failed)/ });
  await expect(result).toContainText("Test accepted. It answered with status 200.");
  expect(received[0]).toMatch(/^msg_test_/);
  await expect(row).toContainText("Working");
  status = 503;
  const listed = await page.request.get(`${app.address}/api/channels`);
  const { data } = (await listed.json()) as { data: Channel[] };
  const made = await page.request.post(`${app.address}/api/rules`, {
    headers: { origin: app.address },
    data: {
      name: "Night shift",
      channels: data.flatMap(({ id, name }) => (name === "Ops hook" ? [id] : [])),
    },
  });
  expect(made.status()).toBe(201);
  await page.reload();
  await row.getByRole("button", { name: "Send a test: Ops hook" }).click();
  await expect(result).toContainText("Test failed. It answered with status 503.");
  await expect(row).toContainText("Failing");
  await row.getByRole("button", { name: "Remove: Ops hook" }).click();
  const removing = page.getByRole("alertdialog");
  await expect(removing).toContainText(
    "The rule “\u2068Night shift\u2069” stops sending to it, and then sends nowhere.",
  );
  await removing.getByRole("button", { name: "Remove channel" }).click();
  await expect(row).toHaveCount(0);
  await expect(focused).toHaveCount(1);
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await page.goto(`${app.address}/settings/rules`);
  await expect(page.getByRole("row").filter({ hasText: "Night shift" })).toContainText(
    "Nowhere: no channel",
  );
});

test("names a dead channel on every page of an administrator, and links to the failed messages", async ({
  page,
}) => {
  await onRecord(app, async ({ orm }) => {
    const now = new Date();
    const since = new Date(now.getTime() - 17 * 60_000);
    await orm
      .update(channels)
      .set({ failingSince: since, triedAt: now, said: "It answered with status 500." })
      .where(eq(channels.id, syncAlerts));
    await orm.delete(deliveries).where(eq(deliveries.channelId, syncAlerts));
    await orm.insert(deliveries).values(
      [1, 2, 3].map((number) => ({
        id: `msg_missed_${number}`,
        destination: `channel:${syncAlerts}`,
        key: `missed ${number}`,
        channelId: syncAlerts,
        to: "channel" as const,
        toName: "#sync-alerts",
        company: COMPANY,
        thread: `missed ${number}`,
        type: "brief" as const,
        dueAt: since,
        createdAt: since,
        message: {
          id: `msg_missed_${number}`,
          type: "brief" as const,
          at: since.toISOString(),
          company: null,
          incident: null,
          url: `${app.address}/incidents`,
          text: "No incident is open.",
        },
        state: "queued" as const,
        // A first attempt would be made at once.
        attempts: 3,
        nextAt: new Date(now.getTime() + 10 * 60_000),
      })),
    );
  });
  await signIn(page, app, "/incidents");
  // It comes with the page, so that nothing moves later.
  const rendered = await page.request.get(`${app.address}/incidents`);
  expect(await rendered.text()).toContain("Every message to");
  const bar = page.getByRole("status").filter({ hasText: /^Every message to / });
  await expect(bar).toContainText("#sync-alerts");
  await expect(bar).toContainText("3 messages are waiting for their next attempt.");
  await bar.getByRole("link", { name: "See channels" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 channel, 1 down");
  await expect(page.getByRole("row").filter({ hasText: "#sync-alerts" }).first()).toContainText(
    "It answered with status 500.",
  );
  await expectNoViolationInAnyForm(page);
});
