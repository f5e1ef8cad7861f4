import type { EndedLinkPage } from "@/lib/contracts/shared-page";
import { dayMonthYear } from "@/lib/domain/words/dates";
import { PageHead } from "./page-frame";
import { ended as words } from "./words";

/** The page of a link that has ended: whose it was and what to do, and no data. */
export function EndedPage({ page }: { page: EndedLinkPage }) {
  const { why, endedMs, sharedByName, sharedMs, timeZone, card } = page;
  const day = (ms: number) => dayMonthYear(ms, timeZone);
  return (
    <html lang="en">
      <PageHead title={words.title} card={card} />
      <body className="over-page">
        <main>
          <i className="drop" aria-hidden="true" />
          <p className="brand">
            <b>Plumbline</b>
          </p>
          <h1>{why === "paused" || endedMs === null ? words.paused : words[why](day(endedMs))}</h1>
          <p className="sub">
            {words.shared(sharedByName, day(sharedMs))} {words.why[why]}
          </p>
          <p>
            <b>{words.ask(sharedByName)}</b>
            <br />
            {words.reply}
          </p>
          <p className="note">
            {words.account}{" "}
            {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- this isn't a page of Next's */}
            <a href="/signin">{words.signIn}</a> {words.toSee}
          </p>
        </main>
      </body>
    </html>
  );
}
