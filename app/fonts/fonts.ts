import localFont from "next/font/local";

// The files are built by `npm run fonts`; the weights here are those that they contain. A page
// whose fonts don't arrive at once keeps the fallback fonts, of equal width and height: swapping them would move what
// wraps.

export const geist = localFont({
  src: "./geist.woff2",
  display: "optional",
  variable: "--font-geist-sans",
  weight: "400 600",
});

export const geistMono = localFont({
  src: "./geist-mono.woff2",
  display: "optional",
  variable: "--font-geist-mono",
  weight: "400 600",
  adjustFontFallback: false,
  fallback: ["Geist Mono Fallback", "ui-monospace", "monospace"],
});
