/**
 * Scrolls a row of links sideways until this one stands in its middle, where the row is wider than its room. As the
 * `ref` of a link it does so when the link becomes that of the present page, and leaves the row alone after it.
 */
export function intoView(link: HTMLElement | null): void {
  const row = link?.parentElement;
  if (!row) return;
  const [here, room] = [link.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollBy(here.x + here.width / 2 - room.x - room.width / 2, 0);
}
