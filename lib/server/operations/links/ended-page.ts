import { dayMonthYear } from "@/lib/domain/words/dates";
import type { EndedLink } from "@/lib/server/auth/share-links";
import type { PlainAnswer } from "@/lib/server/http/answer";
import { html } from "@/lib/server/http/html";
import { cardTags, type Card } from "@/lib/server/http/preview/preview-card";
import { ended as words } from "./page-words";
import { SHARED_HEADERS } from "./shared-page";

/**
 * The page of a link that has ended: whose it was and what to do, and no data.
 * @param given.timeZone the reader's, IANA
 */
export function endedPage(
  { why, at, sharedByName, sharedAt }: EndedLink,
  { timeZone, card }: { timeZone: string; card: Card },
): PlainAnswer {
  const day = (date: Date) => dayMonthYear(date.getTime(), timeZone);
  const title = why === "paused" || at === null ? words.paused : words[why](day(at));
  const drawn = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${words.title}</title>
        ${cardTags(card)}
        <link rel="stylesheet" href="/share.css" />
        <link rel="icon" href="/icon.svg" />
      </head>
      <body class="over-page">
        <main>
          <i class="drop" aria-hidden="true"></i>
          <p class="brand"><b>Plumbline</b></p>
          <h1>${title}</h1>
          <p class="sub">${words.shared(sharedByName, day(sharedAt))} ${words.why[why]}</p>
          <p><b>${words.ask(sharedByName)}</b><br />${words.reply}</p>
          <p class="note">${words.account} <a href="/signin">${words.signIn}</a> ${words.toSee}</p>
        </main>
      </body>
    </html>`;
  return { status: 410, headers: SHARED_HEADERS, body: drawn.html };
}
