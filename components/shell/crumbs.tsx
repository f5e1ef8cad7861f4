"use client";

import { useLiveCompany } from "./live-company";
import { CRUMBS } from "./words";
import { Link } from "@/components/ui/link";

/** The page's position below its company; the last step, the page itself, isn't a link. */
export function Crumbs({ trail }: { trail: readonly { label: string; href: string | null }[] }) {
  const { slug, name } = useLiveCompany();
  const steps = [{ label: name, href: `/${slug}` }, ...trail];
  return (
    <nav aria-label={CRUMBS} className="mb-0.5 text-xs text-ink-2">
      <ol className="flex flex-wrap gap-1.5">
        {steps.map(({ label, href }, at) => (
          <li key={`${at}:${label}`} className="flex min-w-0 gap-1.5">
            {at === 0 ? null : (
              <span aria-hidden="true" className="text-ink-3">
                /
              </span>
            )}
            {href === null ? (
              <span aria-current="page" className="truncate">
                {label}
              </span>
            ) : (
              <Link href={href} className="truncate hover:text-ink hover:underline">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
