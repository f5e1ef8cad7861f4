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
    <section className="panel me-preferences border-t-0 pb-0" aria-labelledby="preferences-title">
      <header>
        <h2 id="preferences-title">{words.title}</h2>
        <p>{words.note}</p>
      </header>
      <div className="me-preference">
        <span>{THEME}</span>
        <div>
          <Segmented
            label={THEME}
            value={theme}
            options={THEMES}
            onChange={(value) => chooseTheme(themeOf(value))}
          />
        </div>
      </div>
      <div className="me-preference">
        <span>{ZONE}</span>
        <div>
          <Segmented
            label={ZONE}
            value={choice}
            options={CLOCKS}
            onChange={(value) => choose(clockOf(value))}
          />
          <p>{words.hint(time, zoneCity(zone))}</p>
        </div>
      </div>
      {companies.length < 2 ? null : (
        <div className="me-preference">
          <label htmlFor={startId}>{words.start}</label>
          <div>
            <select
              id={startId}
              autoComplete="off"
              value={companies.some(({ slug }) => slug === start) ? (start ?? "") : ""}
              onChange={(event) => {
                const slug = event.target.value || null;
                setStart(slug);
                rememberStart(slug);
              }}
            >
              <option value="">{words.allCompanies}</option>
              {companies.map(({ slug, name }) => (
                <option key={slug} value={slug}>
                  {name}
                </option>
              ))}
            </select>
            <p>{words.startHint}</p>
          </div>
        </div>
      )}
    </section>
  );
}
