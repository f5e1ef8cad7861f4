import type { ReactNode } from "react";
import { Logo } from "@/components/marks/logo";
import type { CardTag, SharedIncidentPage, SharedPartnerPage } from "@/lib/contracts/shared-page";
import { zoneName } from "@/lib/domain/time/zone-name";
import { datedMoment } from "@/lib/domain/words/dates";
import { page as words } from "./words";

/** Reload interval of the page without scripts, seconds. */
const AGAIN_SECONDS = 60;

/** The head of every share link's page. `children`: further elements. */
export function PageHead({
  title,
  card,
  children,
}: {
  title: string;
  card: readonly CardTag[];
  children?: ReactNode;
}) {
  return (
    // oxlint-disable-next-line nextjs/no-head-element -- this isn't a page of Next's
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex, nofollow" />
      <title>{title}</title>
      {card.map((tag) => (
        <meta key={"name" in tag ? tag.name : tag.property} {...tag} />
      ))}
      {/* oxlint-disable-next-line nextjs/no-css-tags -- this isn't a page of Next's */}
      <link rel="stylesheet" href="/share.css" />
      <link rel="icon" href="/icon.svg" />
      {children}
    </head>
  );
}

/**
 * The page around an open link's content. It contains no address of ours, so that nothing leads further, and only `main`
 * changes while it is open.
 */
export function PageFrame({
  page: { card, sharedByName, expiresMs, nowMs, timeZone },
  title,
  what,
  isLive,
  children,
}: {
  page: SharedPartnerPage | SharedIncidentPage;
  title: string;
  /** What is shared. */
  what: string;
  /** Whether the content can change. */
  isLive: boolean;
  /** The element `main`. */
  children: ReactNode;
}) {
  const ends = `${datedMoment(expiresMs, nowMs, timeZone)} ${zoneName(expiresMs, timeZone)}`;
  return (
    <html lang="en">
      <PageHead title={title} card={card}>
        {isLive ? (
          <noscript>
            <meta httpEquiv="refresh" content={String(AGAIN_SECONDS)} />
          </noscript>
        ) : null}
        <script src="/share.js" defer />
      </PageHead>
      <body>
        <header className="top">
          <span className="brand">
            <Logo className="logo" />
            <b>Plumbline</b>
          </span>
          <p>
            <span>{what}</span> <span>{words.sharedBy(sharedByName, ends)}</span>
          </p>
        </header>
        {children}
      </body>
    </html>
  );
}
