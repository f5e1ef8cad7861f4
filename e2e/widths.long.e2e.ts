import { expect, test, type Page } from "@playwright/test";
import config from "../playwright.config";
import { demoApp, policyViolations, signIn } from "./app";

// Columns leave as a window narrows: nothing may end outside of it, and names stay readable.

// With scrollbars, which take room on most desktops.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] },
});

const WIDTHS = [1920, 1440, 1419, 1366, 1280, 1241, 1120, 1024, 981, 800, 641, 390, 320];
/** From here on a line's feed and partner are in one line with the other columns. */
const COLUMNS_FROM = 981;
const READABLE_NAME_PX = 120;

/** Lists with the partner's name before the feed's. */
const LISTS = ["/", "/northgate"];
const PAGES = [
  ...LISTS,
  "/incidents",
  "/partners",
  "/partners/Procore",
  "/companies",
  "/northgate?partners=open",
  "/northgate/incidents",
  "/northgate/incidents/1",
  "/northgate/promises",
  "/northgate/report",
  "/northgate/api-calls",
  "/northgate/schedules",
  "/northgate/schedules?view=files",
  "/northgate/activity",
  "/northgate/partners/Procore",
  "/settings/connections",
  "/settings/connections/new",
  "/settings/people",
  "/settings/channels",
  "/settings/rules",
  "/settings/displays",
  "/settings/tokens",
  "/settings/alerts",
  "/settings/me",
];

/** Texts that end right of the window or of what hides it, but in what scrolls, ends in "…" or is for screen readers. */
const outside = (page: Page) =>
  page.evaluate(() => {
    const isCutOff = (text: Element): boolean => {
      const { right } = text.getBoundingClientRect();
      for (let around: Element | null = text; around !== null; around = around.parentElement) {
        const { overflowX, clipPath, textOverflow } = getComputedStyle(around);
        if (/auto|scroll/.test(overflowX) || clipPath !== "none") return false;
        if (overflowX === "visible") continue;
        if (textOverflow === "ellipsis") return false;
        if (right > around.getBoundingClientRect().right + 1) return true;
      }
      return right > document.documentElement.clientWidth + 1;
    };
    const texts = [...document.querySelectorAll("header *, main *")].filter(
      (element) =>
        element instanceof HTMLElement &&
        element.childElementCount === 0 &&
        element.textContent.trim() !== "" &&
        isCutOff(element),
    );
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      texts: texts.map((element) => element.textContent),
      pageBy: scrollWidth - clientWidth,
    };
  });

const names = (page: Page) =>
  page.locator(".line-row > .cell-name, .today-row:not(.today-head) > .today-feed");

for (const address of PAGES)
  test(`shows ${address} at every width`, async ({ page }) => {
    await signIn(page, demoApp(), address);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    if (LISTS.includes(address)) await expect(names(page).first()).toBeVisible();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => outside(page), { message: `${width}` })
        .toEqual({ texts: [], pageBy: 0 });
      if (!LISTS.includes(address) || width < COLUMNS_FROM) continue;
      for (const name of await names(page).all())
        expect((await name.boundingBox())?.width, `${width}`).toBeGreaterThan(READABLE_NAME_PX);
    }
    expect(await policyViolations(page)).toEqual([]);
  });
