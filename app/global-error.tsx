"use client";

import "./globals.css";

/** The frame itself failed, so nothing of it is used. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        <main className="m-6">
          <title>Plumbline</title>
          <h1 className="text-md font-strong">Plumbline could not be drawn</h1>
          <p className="mt-1 mb-3.5 text-ink-2">
            Nothing is known about the syncs from here. The reason is in the log.
          </p>
          {/* oxlint-disable-next-line next/no-html-link-for-pages -- the router may be what failed */}
          <a href="/" className="underline underline-offset-3">
            Try again
          </a>
        </main>
      </body>
    </html>
  );
}
