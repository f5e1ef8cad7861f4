import type { Config } from "tailwindcss";

/** Colours and type by the names of `app/tokens.css`; the values stay there, in CSS variables. */
const verdicts = ["failing", "stale", "late", "unknown", "due", "fresh", "webhook", "paused"];
const colour = (name: string) => [name, `var(--${name})`];

export default {
  content: [
    "./app/**/*.{ts,tsx}",
    "./components/**/*.{ts,tsx}",
    "!./components/**/*.test.{ts,tsx}",
  ],
  theme: {
    colors: {
      transparent: "transparent",
      current: "currentColor",
      ...Object.fromEntries(
        [
          ["bg", "surface", "sunken", "row-hover", "line", "line-strong", "control", "plumb"],
          ["ink", "ink-2", "ink-3", "ink-inverse", "ink-wash", "focus", "scrim", "failing-on"],
          ["conf-live", "conf-delayed", "conf-blind"],
          ["failing-wash", "stale-wash", "late-wash"],
          verdicts.flatMap((word) => [`${word}-text`, `${word}-mark`]),
        ]
          .flat()
          .map(colour),
      ),
    },
    fontFamily: { sans: ["var(--font-sans)"], mono: ["var(--font-mono)"] },
    fontSize: Object.fromEntries(
      ["2xs", "xs", "sm", "md", "lg", "xl"].map((size) => [
        size,
        [`var(--text-${size})`, { lineHeight: `var(--lh-${size})` }],
      ]),
    ),
    fontWeight: { normal: "400", medium: "500", strong: "600" },
    borderRadius: { none: "0", DEFAULT: "var(--radius-1)" },
    screens: { sm: "641px", md: "941px", lg: "1241px", xl: "1421px" },
  },
} satisfies Config;
