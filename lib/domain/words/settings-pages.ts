import { hasRight, hasRightSomewhere, type Grant, type Right } from "@/lib/domain/rights";

/** A settings page in the menu. */
export type SettingsPage = { href: string; label: string };

/** All settings pages, in menu order; right null: visible to every signed-in person. */
const PAGES: readonly (SettingsPage & { right: Right | null })[] = [
  { href: "/settings/me", label: "Me", right: null },
  { href: "/settings/alerts", label: "My alerts", right: "handle-incidents" },
  { href: "/settings/links", label: "Share links", right: "share-links" },
  { href: "/settings/people", label: "People", right: "manage-people" },
  { href: "/settings/channels", label: "Channels", right: "manage-channels" },
  { href: "/settings/rules", label: "Rules", right: "manage-rules" },
  { href: "/settings/displays", label: "Displays", right: "manage-displays" },
  { href: "/settings/connections", label: "Connections", right: "manage-connections" },
  { href: "/settings/tokens", label: "API tokens", right: null },
  { href: "/settings/activity", label: "Activity", right: "manage-people" },
];

/** The settings pages that these grants make visible. */
export function settingsPages(grants: readonly Grant[]): SettingsPage[] {
  return PAGES.filter(({ right }) => {
    // Links and incidents belong to one company each, so the right at any company is enough.
    if (right === "share-links" || right === "handle-incidents")
      return hasRightSomewhere(grants, right);
    return right === null || hasRight(grants, right, null);
  }).map(({ href, label }) => ({ href, label }));
}
