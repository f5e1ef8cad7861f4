"use client";

/** The frame itself failed, so nothing of it is used, not even its styles: every page would load them for this. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        {/* oxlint-disable-next-line next/no-css-tags -- the bundler would load it with every page */}
        <link rel="stylesheet" href="/last-resort.css" precedence="last" />
        <main>
          <title>Plumbline</title>
          <h1>Plumbline could not be drawn</h1>
          <p>Nothing is known about the syncs from here. The reason is in the log.</p>
          {/* oxlint-disable-next-line next/no-html-link-for-pages -- the router may be what failed */}
          <a href="/">Try again</a>
        </main>
      </body>
    </html>
  );
}
