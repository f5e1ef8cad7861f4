import { Chevron } from "@/components/marks/chevron";
import { SHARE } from "@/components/drill-down/words";

/**
 * Content of a page's *Share* button, for `popupButton`. It is ink while its menu is open.
 * @param className sets its size
 * @param of what it shares, where that isn't the page
 */
export function shareButtonProps(className = "max-sm:h-11", of: string | null = null) {
  return {
    className: `button-link gap-2 print:hidden aria-expanded:border-ink aria-expanded:bg-ink aria-expanded:text-ink-inverse ${className}`,
    children: (
      <>
        {SHARE}
        {of === null ? null : ` ${of}`}
        <Chevron className="shrink-0" />
      </>
    ),
  };
}
