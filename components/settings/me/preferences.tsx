"use client";

import { useId, useState, useSyncExternalStore } from "react";
import { CLOCKS, THEME, THEMES, ZONE } from "@/components/shell/words";
import { useZoneChoice } from "@/components/shell/time/zone";
import { Segmented } from "@/components/ui/segmented";
import { clockOf, rememberStart } from "@/lib/client/preferences";
import { chooseTheme, onTheme, shownTheme, themeOf, type Theme } from "@/lib/client/theme";
import { useNow } from "@/lib/client/use-now";
import { zoneCity } from "@/lib/domain/time/zone-name";
import { clockTime } from "@/lib/domain/words/format";
import { preferenceWords as words } from "./words";

const ROW =
  "grid grid-cols-[132px_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 border-t border-line py-2.5 last:border-b max-sm:grid-cols-1";
const LABEL = "text-xs/4.5 font-medium";
const CHOICE = "flex flex-wrap items-center gap-x-2.5 gap-y-1.5";
const NOTE = "text-xs/4.5 text-ink-2";

/** Preferences of this browser, for all pages; each choice takes effect immediately. */
export function Preferences({
  companies,
  firstTheme,
  firstStart,
}: {
  companies: readonly { slug: string; name: string }[];
  firstTheme: Theme;
  firstStart: string | null;
}) {
  const theme = useSyncExternalStore(onTheme, shownTheme, () => firstTheme);
  const { zone, choice, choose } = useZoneChoice();
  const [start, setStart] = useState(firstStart);
  const startId = useId();
  const time = useNow((nowMs) => clockTime(nowMs, zone));
  return (
    <section className="panel max-w-[684px] border-t-0 pb-0" aria-labelledby="preferences-title">
      <header>
        <h2 id="preferences-title">{words.title}</h2>
        <p>{words.note}</p>
      </header>
      <div className={ROW}>
        <span className={LABEL}>{THEME}</span>
        <div className={CHOICE}>
          <Segmented
            label={THEME}
            value={theme}
            options={THEMES}
            onChange={(value) => chooseTheme(themeOf(value))}
          />
        </div>
      </div>
      <div className={ROW}>
        <span className={LABEL}>{ZONE}</span>
        <div className={CHOICE}>
          <Segmented
            label={ZONE}
            value={choice}
            options={CLOCKS}
            onChange={(value) => choose(clockOf(value))}
          />
          <p className={NOTE}>{words.hint(time, zoneCity(zone))}</p>
        </div>
      </div>
      {companies.length < 2 ? null : (
        <div className={ROW}>
          <label htmlFor={startId} className={LABEL}>
            {words.start}
          </label>
          <div className={CHOICE}>
            <select
              id={startId}
              className="h-[30px] w-[236px] max-w-full rounded border border-control bg-surface px-2 text-ink max-sm:h-11 max-sm:w-full"
              autoComplete="off"
              value={companies.some(({ slug }) => slug === start) ? (start ?? "") : ""}
              onChange={(event) => {
                const slug = event.target.value || null;
                setStart(slug);
                rememberStart(slug);
              }}
            >
              <option value="">{words.today}</option>
              {companies.map(({ slug, name }) => (
                <option key={slug} value={slug}>
                  {name}
                </option>
              ))}
            </select>
            <p className={NOTE}>{words.startHint}</p>
          </div>
        </div>
      )}
    </section>
  );
}
