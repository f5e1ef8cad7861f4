// Chats and search engines that look at an address to draw a card of it. They have no session and take none.

/** By their own names, and by what nearly all others call themselves. A telephone is called Cubot. */
const BOTS =
  /facebookexternalhit|facebot|slack-imgproxy|whatsapp\/|skypeuripreview|microsoftpreview|teams-preview|iframely|embedly|vkshare|chatwork|zulip|mattermost|rocket\.?chat|viber|google-pagerenderer|chrome-lighthouse|(?<!cu)bot\b|bot[/;-]|crawler|spider|unfurl|link-?preview|url-?preview|linkexpanding|notionembedder|snap url preview/i;

/**
 * Whether a request is a link preview's, as far as it says. Who shows a session or a paired display is asked for that
 * before.
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
