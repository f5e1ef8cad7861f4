/** Text style of every axis. */
export const AXIS_TEXT = { fontSize: 11, fill: "var(--ink-3)" } as const;
