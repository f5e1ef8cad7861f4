import localFont from "next/font/local";

// The files are built by `npm run fonts`; the weights here are those that they contain. Until they
// load, fallback fonts of equal width and height are used, so that nothing moves when they arrive.

export const geist = localFont({
  src: "./geist.woff2",
  variable: "--font-geist-sans",
  weight: "400 600",
});

export const geistMono = localFont({
  src: "./geist-mono.woff2",
  variable: "--font-geist-mono",
  weight: "400 600",
  adjustFontFallback: false,
  fallback: ["Geist Mono Fallback", "ui-monospace", "monospace"],
});
