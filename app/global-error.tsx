"use client";

/**
 * The frame itself failed, so nothing of it is used, including its styles: every page would load
 * them for this.
 */
export default function GlobalError() {
  return (
    <html lang="en">
      <body>
        {/* oxlint-disable-next-line next/no-css-tags -- the bundler would load it with every page */}
        <link rel="stylesheet" href="/last-resort.css" precedence="last" />
        <main>
          <title>Plumbline</title>
          <h1>Couldn’t load Plumbline</h1>
          <p>We can’t show sync status right now. Details are in the server log.</p>
          {/* oxlint-disable-next-line next/no-html-link-for-pages -- the router may be what failed */}
          <a href="/">Reload</a>
        </main>
      </body>
    </html>
  );
}
