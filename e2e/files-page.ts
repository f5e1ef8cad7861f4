import type { Page } from "@playwright/test";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import type { RunningApp } from "./app";

/** The file list as a person uses it, and the API of its address. */

export const grid = (page: Page) => page.getByRole("grid", { name: "Schedule files" });
export const lines = (page: Page) => grid(page).locator("[data-line]");
export const names = (page: Page) => grid(page).getByRole("rowheader");
export const heading = (page: Page) => page.getByRole("heading", { level: 1 });
export const dialog = (page: Page) => page.getByRole("alertdialog");
export const dock = (page: Page) => page.getByRole("region", { name: "Deletions" });
export const search = (page: Page) => page.getByLabel("Name or project");

/** A file's displayed name, without direction overrides. */
export const shownName = (file: { name: string } | undefined) => inOwnOrder(file?.name ?? "");

export async function filesOf(
  page: Page,
  app: RunningApp,
  company: string,
  query = "",
): Promise<ScheduleFilesView> {
  const answer = await page.request.get(
    `${app.address}/api/companies/${company}/schedule-files?${query}`,
  );
  return (await answer.json()) as ScheduleFilesView;
}
