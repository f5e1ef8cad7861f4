/**
 * In place of lines that are not drawn. An SVG: the server's HTML may hold no inline style. The browser holds on to none
 * of it where what stands above changes: gone in the next moment, it would take the page back to its top.
 */
export function Spacer({ px }: { px: number }) {
  return px > 0 ? (
    <svg aria-hidden="true" className="block [overflow-anchor:none]" width="1" height={px} />
  ) : null;
}
