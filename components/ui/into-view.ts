/**
 * Scrolls a row of links sideways until this one is centred, if the row overflows. As the `ref` of
 * a link it does so when the link becomes the current page's, and not again.
 */
export function intoView(link: HTMLElement | null): void {
  const row = link?.parentElement;
  if (!row) return;
  const [here, room] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollBy(here.x + here.width / 2 - room.x - room.width / 2, 0);
}
