/** In place of lines that are not drawn. An SVG: the server's HTML may hold no inline style. */
export function Spacer({ px }: { px: number }) {
  return px > 0 ? <svg aria-hidden="true" className="block" width="1" height={px} /> : null;
}
