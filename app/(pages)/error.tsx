"use client";

/**
 * A page that could not be drawn, or whose code did not come. What went wrong is in the log, not here. Every page
 * loads it, so it uses no part of its own, and looks as `Empty` and `Button` do.
 */
export default function PageError() {
  return (
    <main id="main" tabIndex={-1}>
      <section className="relative mx-6 mt-6 border-t border-line-strong px-[26px] pt-[26px] max-sm:mx-3.5">
        <span className="plumb-drop top-0 left-0 h-[66px]" aria-hidden="true" />
        <h1 className="text-md font-strong">Couldn’t load this page</h1>
        <p className="mt-1 mb-3.5 max-w-[340px] text-ink-2">
          We can’t show sync status right now. Check your connection, then reload. If that doesn’t
          help, the server log says why.
        </p>
        <button
          type="button"
          className="h-[30px] rounded border border-control bg-surface px-3 font-medium max-sm:h-11"
          onClick={() => window.location.reload()}
        >
          Reload
        </button>
      </section>
    </main>
  );
}
