"use client";

import { intoView } from "@/components/ui/into-view";
import { Link } from "@/components/ui/link";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import { SETTINGS } from "./words";

/** Navigation between settings pages. @param here path of the current one */
export function SettingsNav({ pages, here }: { pages: readonly SettingsPage[]; here: string }) {
  return (
    <nav
      className="flex h-10 items-center overflow-x-auto [scrollbar-width:none] border-b border-line-strong bg-sunken px-6 text-xs/4.5 whitespace-nowrap max-sm:h-11 max-sm:px-3.5"
      aria-label={SETTINGS}
    >
      <b className="mr-3.5 font-strong">{SETTINGS}</b>
      {pages.map(({ href, label }) => (
        <Link
          key={href}
          className="flex h-full items-center border-b-2 border-transparent px-2.5 pt-0.5 text-ink-2 hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink forced-colors:border-[Canvas] forced-colors:aria-[current]:border-[Highlight]"
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
