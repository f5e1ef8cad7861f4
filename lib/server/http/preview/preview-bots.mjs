// Chats and search engines that read an address to render a card of it. They have no session and
// take none.

/** By their own names, and by the words that nearly all others use. Cubot is a phone brand. */
const BOTS =
  /facebookexternalhit|facebot|slack-imgproxy|whatsapp\/|skypeuripreview|microsoftpreview|teams-preview|iframely|embedly|vkshare|chatwork|zulip|mattermost|rocket\.?chat|viber|google-pagerenderer|chrome-lighthouse|(?<!cu)bot\b|bot[/;-]|crawler|spider|unfurl|link-?preview|url-?preview|linkexpanding|notionembedder|snap url preview/i;

/**
 * Whether a request is a link preview's, by its own account. Requests with a session or a paired
 * display are handled before.
 * @param {string | undefined} method
 * @param {string | null | undefined} userAgent
 */
export function isPreviewBot(method, userAgent) {
  return (method === "GET" || method === "HEAD") && isBotName(userAgent);
}

/** @param {string | null | undefined} userAgent */
export function isBotName(userAgent) {
  return BOTS.test((userAgent ?? "").slice(0, 500));
}
