import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { CardTag } from "@/lib/contracts/shared-page";
import { NO_PAGE } from "@/lib/server/http/headers.mjs";
import { html, type Html } from "@/lib/server/http/html";

/** A link's card in a chat. `image`: absolute. */
export type Card = { title: string; description: string; image: string; imageAlt: string };

const NAME = "Plumbline";

/** The card of every address that needs a session: it only names the product. */
export function genericCard(origin: string): Card {
  return {
    title: NAME,
    description: "Sign in to see this.",
    image: `${origin}/preview.png`,
    imageAlt: "Plumbline: data-sync health",
  };
}

/** The meta tags of a card. */
export function cardTags({ title, description, image, imageAlt }: Card): readonly CardTag[] {
  return [
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: NAME },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { name: "description", content: description },
    { property: "og:image", content: image },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: imageAlt },
    { name: "twitter:card", content: "summary_large_image" },
    { name: "twitter:title", content: title },
    { name: "twitter:description", content: description },
    { name: "twitter:image", content: image },
  ];
}

/** A page with only a card, for link previews. Identical for every address. */
export function cardPage(card: Card): PlainResponse {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="robots" content="noindex" />
        <title>${card.title}</title>
        ${cardTags(card).map(tagOf)}
      </head>
      <body>
        <h1>${card.title}</h1>
        <p>${card.description}</p>
      </body>
    </html>`;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": NO_PAGE,
      "cache-control": "private, no-store",
      "x-robots-tag": "noindex, nofollow",
      "referrer-policy": "no-referrer",
    },
    body: page.html,
  };
}

function tagOf(tag: CardTag): Html {
  return "name" in tag
    ? html`<meta name="${tag.name}" content="${tag.content}" />`
    : html`<meta property="${tag.property}" content="${tag.content}" />`;
}
