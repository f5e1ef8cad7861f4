import localFont from "next/font/local";

// The files are made by `npm run fonts`; the weights here are those that they hold. Until they are there, text
// stands in faces of the same width and height, so that nothing moves when they come.

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
