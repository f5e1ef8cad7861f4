import { SHARE } from "./words";

/**
 * Content of a page's *Share* button, for `popupButton`. It is ink while its menu is open.
 * @param className sets its size
 */
export function shareFace(className = "max-sm:h-11") {
  return {
    className: `button-link gap-2 aria-expanded:border-ink aria-expanded:bg-ink aria-expanded:text-ink-inverse ${className}`,
    children: (
      <>
        {SHARE}
        <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true" className="shrink-0">
          <path d="M1 2.5 4 5.5 7 2.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        </svg>
      </>
    ),
  };
}
