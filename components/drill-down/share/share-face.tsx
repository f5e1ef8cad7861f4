import { shareMenu } from "@/components/drill-down/words";

/**
 * Content of a page's *Share* button, for `popupButton`. It is ink while its menu is open.
 * @param className sets its size
 */
export function shareFace(className = "h-[30px] max-sm:h-11") {
  return {
    className: `inline-flex items-center justify-center gap-2 rounded border border-control bg-surface px-3 font-medium whitespace-nowrap hover:bg-row-hover focus-visible:outline-offset-2 aria-expanded:border-ink aria-expanded:bg-ink aria-expanded:text-ink-inverse ${className}`,
    children: (
      <>
        {shareMenu.share}
        <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" className="shrink-0">
          <path d="M1 2.5 4 5.5 7 2.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </svg>
      </>
    ),
  };
}
