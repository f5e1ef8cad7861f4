import { expect, test } from "@playwright/test";
import { ReportDaysView, ReportView } from "@/lib/contracts/report";
import { beSignedIn, demoApp, expectNoViolationInAnyForm, PHONE } from "./app";

const app = demoApp();

const api = (query = "") => `${app.address}/api/companies/northgate/report${query}`;

test("has the month's report after the first start, with shares that sum to 100.0", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/report`);
  const table = page.getByRole("table", { name: "Partners" });
  await expect(table).toBeVisible();
  const month = new URL(
    (await page.getByRole("link", { name: "CSV" }).getAttribute("href")) ?? "",
    app.address,
  ).searchParams.get("month");
  const answer = await page.request.get(api(`?month=${month}`));
  const report = ReportView.parse(await answer.json());
  expect(answer.headers()["cache-control"]).toBe("private, no-store");
  expect(report.partners.length).toBeGreaterThan(10);
  for (const part of report.partners.flatMap((partner) => [partner, ...partner.endpoints])) {
    const tenths = [part.on_time, part.overdue, part.planned_quiet, part.not_observed].map(
      (share) => Math.round(share * 10),
    );
    expect(tenths.reduce((sum, share) => sum + share)).toBe(1000);
  }
  const html = await (await page.request.get(page.url())).text();
  for (const { partner_name } of report.partners) expect(html).toContain(partner_name);
  await expect(page.getByText("totals 100%")).toBeVisible();
});

test("expands a partner to its endpoints and sentences by keyboard", async ({ page }) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/report`);
  const procore = page.getByRole("button", { name: "Procore" });
  await procore.focus();
  await page.keyboard.press("Enter");
  await expect(procore).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByText(/^Procore was on time \d.+; overdue most .+\.$/)).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "daily_logs" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("rowheader", { name: "daily_logs" })).toBeHidden();
});

test("keeps the month in the address, and refuses an invalid one on the page and in the API", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/report?month=2019-02`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "We didn’t check anything in February 2019",
  );
  await page.getByRole("navigation", { name: "Month" }).getByText("March").click();
  await expect(page).toHaveURL(/month=2019-03$/);
  await page.goto(`${app.address}/northgate/report?month=2999-01`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "January 2999 hasn’t started yet",
  );
  await page.goto(`${app.address}/northgate/report?month=2026-13`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link has no valid month");
  await expect(page.getByRole("table", { name: "Partners" })).toHaveCount(0);
  await page.getByRole("link", { name: "Open the latest report" }).click();
  await expect(page.getByRole("table", { name: "Partners" })).toBeVisible();
  for (const bad of ["2026-13", "october", "2026-10&month=2026-11", "%00"]) {
    expect((await page.request.get(api(`?month=${bad}`))).status()).toBe(400);
  }
  const future = await page.request.get(api("?month=2999-01"));
  expect(await future.json()).toMatchObject({ closed: false, observed: null, partners: [] });
});

test("is downloaded as CSV", async ({ page }) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/report`);
  const href = (await page.getByRole("link", { name: "CSV" }).getAttribute("href")) ?? "";
  const answer = await page.request.get(`${app.address}${href}`);
  expect(answer.headers()["content-disposition"]).toMatch(/filename="report-northgate-.+\.csv"/);
  const lines = (await answer.text()).split("\r\n");
  expect(lines[0]).toMatch(/^month,kind,partner_name,endpoint_id,endpoint_key,on_time_percent,/);
  expect(lines.filter((line) => line.includes(",partner,")).length).toBeGreaterThan(10);
  expect(lines.some((line) => line.includes(",webhook,"))).toBe(true);
});

test("passes accessibility checks in light, dark and on the phone, without overflow", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/report`);
  await page.getByRole("button", { name: "Procore" }).click();
  await expect(page.getByRole("rowheader", { name: "daily_logs" })).toBeVisible();
  await expectNoViolationInAnyForm(page, async (form) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(form === "phone" ? PHONE.width : 1440);
  });
});

test("prints a company on one page, without controls", async ({ page }) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/report`);
  await page.getByRole("button", { name: "Procore" }).click();
  await expect(page.getByRole("rowheader", { name: "daily_logs" })).toBeVisible();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(/^Northgate Builders, on-time report, /)).toBeVisible();
  await expect(page.getByText("How to read the days")).toBeVisible();
  await expect(
    page.getByText(/^Northgate Builders, \d+ feeds of \d+ partners\. Days in UTC\.$/),
  ).toBeVisible();
  await expect(
    page.getByText(
      /^(Closed \w{3} \d+ \w+ \d{4}\. )?Printed by Administrator, \w{3} \d+ \w+ \d{4}\.$/,
    ),
  ).toBeVisible();
  for (const hidden of [
    page.getByRole("button", { name: "Print" }),
    page.getByRole("navigation", { name: "Month" }),
    page.getByRole("rowheader", { name: "daily_logs" }),
    page.getByRole("navigation", { name: "Pages" }),
  ])
    await expect(hidden).toBeHidden();
});

for (const partners of [15, 26, 40]) {
  test(`prints the header of ${partners} partners above their rows`, async ({ page }) => {
    await beSignedIn(page, app);
    await page.route(/\/api\/companies\/northgate\/report\?/, async (route) => {
      const answer = await route.fetch();
      const report = ReportView.parse(await answer.json());
      const many = Array.from({ length: partners }, (_, at) => ({
        ...report.partners[at % report.partners.length],
        partner_name: `Partner ${at + 1}`,
      }));
      await route.fulfill({ json: { ...report, partners: many } });
    });
    const month = new Date().toISOString().slice(0, 7);
    await page.goto(`${app.address}/northgate/report?month=${month}`);
    await expect(page.getByRole("button", { name: `Partner ${partners}` })).toBeVisible();
    await page.emulateMedia({ media: "print" });
    const [head, first] = await Promise.all(
      [0, 1].map(async (at) => page.getByRole("row").nth(at).boundingBox()),
    );
    for (const text of await page.getByRole("columnheader").all()) {
      const box = await text.boundingBox();
      if (box !== null) expect(box.y + box.height).toBeLessThanOrEqual(first?.y ?? 0);
    }
    expect((head?.y ?? 0) + (head?.height ?? 0)).toBeLessThanOrEqual(first?.y ?? 0);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
  });
}

test("rolls up days that are over and charts them on the pages of a partner and of an endpoint", async ({
  page,
}) => {
  await beSignedIn(page, app);
  const days = async () => {
    const answer = await page.request.get(
      `${app.address}/api/companies/northgate/report/days?range=1y&partner=Procore`,
    );
    return ReportDaysView.parse(await answer.json()).days;
  };
  // They are rolled up shortly after startup.
  await expect.poll(async () => (await days()).length, { timeout: 60_000 }).toBeGreaterThan(12);
  await page.goto(`${app.address}/northgate/partners/Procore?days=1y`);
  const drawn = page.getByRole("img", { name: /^Procore, \d\d days: overdue on \d+/ });
  await drawn.scrollIntoViewIfNeeded();
  await expect(drawn).toBeVisible();
  await page.getByRole("radio", { name: "90 d" }).last().click();
  await expect(page).not.toHaveURL(/days=/);
  // Until its days have come, those of the year are dimmed.
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expect(drawn).toBeVisible();
  await expectNoViolationInAnyForm(page);
});
