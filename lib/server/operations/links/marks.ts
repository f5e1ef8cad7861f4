import type { Confidence, Verdict } from "@/lib/domain/sync";
import { html, type Html } from "@/lib/server/http/html";

/** The shapes of `components/marks`, for a page without React. A test compares the two. */

const SYNC_ARCS = "M13.2 6.2A5.6 5.6 0 0 0 3.3 5M2.8 9.8A5.6 5.6 0 0 0 12.7 11";

const SHAPES: Readonly<Record<Verdict | "syncing" | "stuck", Html>> = {
  fresh: html`<circle
    cx="8"
    cy="8"
    r="5.25"
    fill="var(--disc, currentColor)"
    stroke="currentColor"
    stroke-width="1.5"
  ></circle>`,
  due: html`<path
    d="M8 1.75a6.25 6.25 0 0 1 0 12.5 6.25 6.25 0 0 1 0-12.5Zm0 2a4.25 4.25 0 0 0 0 8.5 4.25 4.25 0 0 0 0-8.5ZM7.1 4.6h1.8v2.5H11v1.8H7.1Z"
    fill="currentColor"
  ></path>`,
  late: html`<path d="M8 1.5 15 14.5H1Z" fill="currentColor"></path>`,
  stale: html`<path d="M2 1h12v2L9.6 8 14 13v2H2v-2L6.4 8 2 3Z" fill="currentColor"></path>`,
  failing: html`<path
    fill-rule="evenodd"
    d="M5 1h6l4 4v6l-4 4H5l-4-4V5ZM8 6.59l2.1-2.1 1.41 1.42L9.41 8l2.1 2.09-1.41 1.42L8 9.41l-2.09 2.1-1.42-1.42L6.59 8 4.49 5.91l1.42-1.42Z"
    fill="currentColor"
  ></path>`,
  unknown: html`<path
    d="M14.4 8A6.4 6.4 0 0 1 13.87 10.54M12.52 12.53A6.4 6.4 0 0 1 10.35 13.95M8 14.4A6.4 6.4 0 0 1 5.46 13.87M3.47 12.52A6.4 6.4 0 0 1 2.05 10.35M1.6 8A6.4 6.4 0 0 1 2.13 5.46M3.48 3.47A6.4 6.4 0 0 1 5.65 2.05M8 1.6A6.4 6.4 0 0 1 10.54 2.13M12.53 3.48A6.4 6.4 0 0 1 13.95 5.65M6.2 6.6c0-1.1.8-1.8 1.9-1.8s1.8.7 1.8 1.6c0 1.3-1.8 1.3-1.8 2.6M8.15 10.2v1.7"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
  ></path>`,
  paused: html`<path d="M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z" fill="currentColor"></path>`,
  webhook: html`<path
      d="M1 8h8.6M6 4.2 9.8 8 6 11.8"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
    ></path
    ><rect x="12.5" y="2" width="2.2" height="12" fill="currentColor"></rect>`,
  syncing: html`<path d="${SYNC_ARCS}" fill="none" stroke="currentColor" stroke-width="1.8"></path
    ><path d="M14.6 2.6v4.2h-4.2ZM1.4 13.4V9.2h4.2Z" fill="currentColor"></path>`,
  stuck: html`<path
      d="${SYNC_ARCS}"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-dasharray="3.2 1.8"
    ></path
    ><rect x="6.9" y=".5" width="2.2" height="15" fill="currentColor"></rect>`,
};

const CONFIDENCE_SHAPES: Readonly<Record<Confidence, Html>> = {
  live: html`<path
    d="M0 8h3.4v4H0zM5.2 4h3.4v8H5.2zM10.4 0h3.4v12h-3.4z"
    fill="currentColor"
  ></path>`,
  delayed: html`<path d="M0 8h3.4v4H0z" fill="currentColor"></path
    ><path d="M5.7 4.5h2.4v7H5.7zM10.9.5h2.4v11h-2.4z" fill="none" stroke="currentColor"></path>`,
  blind: html`<path
    d="M.6.6h12.8v10.8H.6zM1 8l7-7.4M2 11.4 12.5.6M7 11.4l6.4-6.7"
    fill="none"
    stroke="currentColor"
    stroke-width="1.2"
  ></path>`,
};

/** A verdict's shape; the text is beside it. */
export function verdictMark(shape: Verdict | "syncing" | "stuck"): Html {
  return html`<svg class="icon" width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
    ${SHAPES[shape]}
  </svg>`;
}

/** Confidence as three bars, one of three, or a hatched box. */
export function confidenceMark(confidence: Confidence): Html {
  return html`<svg class="icon" width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
    ${CONFIDENCE_SHAPES[confidence]}
  </svg>`;
}

/** The logo. */
export const LOGO = html`<svg
  class="logo"
  width="14"
  height="20"
  viewBox="0 0 14 20"
  aria-hidden="true"
>
  <rect x="6.25" y="0" width="1.5" height="11" fill="currentColor" />
  <path d="M2.5 10.5h9L7 19.5Z" fill="currentColor" />
</svg>`;
