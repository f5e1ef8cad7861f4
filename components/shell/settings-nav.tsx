"use client";

import { intoView } from "@/components/ui/into-view";
import { Link } from "@/components/ui/link";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import { SETTINGS } from "./words";
import "./settings-nav.css";

/** Navigation between settings pages. @param here path of the current one */
export function SettingsNav({ pages, here }: { pages: readonly SettingsPage[]; here: string }) {
  return (
    <nav className="settings-nav" aria-label={SETTINGS}>
      <b>{SETTINGS}</b>
      {pages.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          ref={href === here ? intoView : undefined}
          aria-current={href === here ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
