import { hasRight, hasRightSomewhere, type Grant, type Right } from "@/lib/domain/rights";

/** A page of the settings as a menu has it. */
export type SettingsPage = { href: string; label: string };

/** All pages of the settings, in the order of their menu; null: whoever is signed in may see it. */
const PAGES: readonly (SettingsPage & { right: Right | null })[] = [
  { href: "/settings/me", label: "Me", right: null },
  { href: "/settings/alerts", label: "My alerts", right: "handle-incidents" },
  { href: "/settings/links", label: "Share links", right: "share-links" },
  { href: "/settings/people", label: "People", right: "manage-people" },
  { href: "/settings/channels", label: "Channels", right: "manage-channels" },
  { href: "/settings/rules", label: "Rules", right: "manage-rules" },
  { href: "/settings/displays", label: "Displays", right: "manage-displays" },
  { href: "/settings/connections", label: "Connections", right: "manage-connections" },
  { href: "/settings/activity", label: "Activity", right: "manage-people" },
];

/** The pages of the settings that somebody with these grants may see. */
export function settingsPages(grants: readonly Grant[]): SettingsPage[] {
  return PAGES.filter(({ right }) => {
    // Links and incidents are of one company each, so having some of them is enough.
    if (right === "share-links" || right === "handle-incidents")
      return hasRightSomewhere(grants, right);
    return right === null || hasRight(grants, right, null);
  }).map(({ href, label }) => ({ href, label }));
}
