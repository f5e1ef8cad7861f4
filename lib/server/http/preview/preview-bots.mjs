// Chats and search engines that look at an address to draw a card of it. They have no session and take none.

/** By their own names, and by what nearly all others call themselves. A telephone is called Cubot. */
const BOTS =
  /facebookexternalhit|facebot|slack-imgproxy|whatsapp\/|skypeuripreview|microsoftpreview|teams-preview|iframely|embedly|vkshare|chatwork|zulip|mattermost|rocket\.?chat|viber|google-pagerenderer|chrome-lighthouse|(?<!cu)bot\b|bot[/;-]|crawler|spider|unfurl|link-?preview|url-?preview|linkexpanding|notionembedder|snap url preview/i;

/**
 * Whether a request is a link preview's. Whoever shows a cookie of ours is a person, whatever their browser says.
 * @param {string | undefined} method
 * @param {{ "user-agent"?: string | undefined, cookie?: string | undefined }} headers
 */
export function isPreviewBot(method, headers) {
  if (method !== "GET" && method !== "HEAD") return false;
  return headers.cookie === undefined && isBotName(headers["user-agent"]);
}

/** @param {string | null | undefined} userAgent */
export function isBotName(userAgent) {
  return BOTS.test((userAgent ?? "").slice(0, 500));
}
