import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { geist, geistMono } from "@/app/fonts/fonts";
import { Hatch } from "@/components/charts/hatch";
import { THEME_COOKIE, themeOf } from "@/lib/client/theme";
import "./fonts/fallback.css";

export const metadata: Metadata = {
  title: { default: "Plumbline", template: "%s · Plumbline" },
  description: "Is your customers’ data in sync?",
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbf9" },
    { media: "(prefers-color-scheme: dark)", color: "#0c0d0f" },
  ],
};

/** Shared by walls and people's pages. What only pages need is in `(pages)/layout.tsx`. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html
      lang="en"
      className={`${geist.variable} ${geistMono.variable}`}
      data-theme={theme === "system" ? undefined : theme}
    >
      <body>
        <Hatch />
        {children}
      </body>
    </html>
  );
}
