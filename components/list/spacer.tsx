/**
 * Space of lines that aren't rendered. Excluded from scroll anchoring: as an anchor that is then
 * removed, it would scroll the page to its top.
 */
export function Spacer({ px }: { px: number }) {
  return px > 0 ? (
    <svg aria-hidden="true" className="block [overflow-anchor:none]" width="1" height={px} />
  ) : null;
}
