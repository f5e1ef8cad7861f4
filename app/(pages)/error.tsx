"use client";

import { useEffect, useState } from "react";

const LOOK_EVERY_MS = 5_000;

/** Causes, as far as Plumbline's readiness reports them. */
const WHY = {
  unknown:
    "We can’t show sync status right now. Reload to try again. If that doesn’t help, the server log says why.",
  away: "Plumbline can’t reach its database. This page reloads once it’s back.",
  offline: "We can’t reach Plumbline. Check your connection. This page reloads once it’s back.",
} as const;

/**
 * Shown for a page that failed to render, or whose code didn't load. The error is in the log, not
 * here. Every page loads it, so it uses no other components, and looks like `Empty` and `Button`.
 */
export default function PageError() {
  const [why, setWhy] = useState<keyof typeof WHY>("unknown");
  useEffect(() => {
    let before: keyof typeof WHY = "unknown";
    const look = async () => {
      const now = await readiness();
      // Reloading for an error of the page itself would never end.
      if (now === "unknown" && before !== "unknown") window.location.reload();
      before = now;
      setWhy(now);
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <main id="main" tabIndex={-1}>
      <section className="relative mx-6 mt-6 border-t border-line-strong px-[26px] pt-[26px] max-sm:mx-3.5">
        <span className="plumb-drop top-0 left-0 h-[66px]" aria-hidden="true" />
        <h1 className="text-md font-strong">Couldn’t load this page</h1>
        <p role="status" className="mt-1 mb-3.5 max-w-[340px] text-ink-2">
          {WHY[why]}
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

async function readiness(): Promise<keyof typeof WHY> {
  try {
    const { status } = await fetch("/api/health/ready", { cache: "no-store" });
    return status === 503 ? "away" : "unknown";
  } catch {
    return "offline";
  }
}
