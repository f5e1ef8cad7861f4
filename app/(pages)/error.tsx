"use client";

/**
 * A page that could not be drawn, or whose code did not come. What went wrong is in the log, not here. Every page
 * loads it, so it uses no part of its own.
 */
export default function PageError() {
  return (
    <main id="main" tabIndex={-1} className="p-6">
      <h1 className="text-md font-strong">Couldn’t load this page</h1>
      <p className="mt-1 mb-3.5 max-w-[340px] text-ink-2">
        We can’t show sync status right now. Check your connection, then reload. If that doesn’t
        help, the server log says why.
      </p>
      <button
        type="button"
        className="underline max-sm:h-11"
        onClick={() => window.location.reload()}
      >
        Reload
      </button>
    </main>
  );
}
