import { GeistMono } from "geist/font/mono";
import { GeistSans } from "geist/font/sans";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { VerdictSprite } from "@/components/grid/verdict-icon";
import { Providers } from "@/components/shell/providers";
import {
  CLOCK_COOKIE,
  THEME_COOKIE,
  ZONE_COOKIE,
  clockOf,
  themeOf,
  zoneOf,
} from "@/lib/client/preferences";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Plumbline", template: "%s · Plumbline" },
  description: "Is their data in sync?",
  robots: { index: false },
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfbf9" },
    { media: "(prefers-color-scheme: dark)", color: "#0c0d0f" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  const theme = themeOf(jar.get(THEME_COOKIE)?.value);
  const zone = zoneOf(jar.get(ZONE_COOKIE)?.value);
  const clock = clockOf(jar.get(CLOCK_COOKIE)?.value);
  return (
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      data-theme={theme === "system" ? undefined : theme}
    >
      <body>
        <VerdictSprite />
        <Providers zone={zone} clock={clock}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
