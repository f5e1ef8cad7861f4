"use client";

import { useId, useState, useSyncExternalStore } from "react";
import { CLOCKS, THEME, THEMES, ZONE } from "@/components/shell/menu-words";
import { useZoneChoice } from "@/components/shell/time/zone";
import { Segmented } from "@/components/ui/segmented";
import { clockOf, rememberStart } from "@/lib/client/preferences";
import { chooseTheme, onTheme, shownTheme, themeOf, type Theme } from "@/lib/client/theme";
import { useNow } from "@/lib/client/use-now";
import { zoneCity } from "@/lib/domain/time/zone-name";
import { clockTime } from "@/lib/domain/words/format";
import { SettingNote, SettingRow } from "./setting-row";
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
    <section className="panel border-t-0 pb-0" aria-labelledby="preferences-title">
      <header>
        <h2 id="preferences-title">{words.title}</h2>
        <p>{words.note}</p>
      </header>
      <SettingRow label={THEME}>
        <Segmented
          label={THEME}
          value={theme}
          options={THEMES}
          onChange={(value) => chooseTheme(themeOf(value))}
        />
      </SettingRow>
      <SettingRow label={ZONE}>
        <Segmented
          label={ZONE}
          value={choice}
          options={CLOCKS}
          onChange={(value) => choose(clockOf(value))}
        />
        <SettingNote>{words.hint(time, zoneCity(zone))}</SettingNote>
      </SettingRow>
      {companies.length < 2 ? null : (
        <SettingRow label={words.start} htmlFor={startId}>
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
          <SettingNote>{words.startHint}</SettingNote>
        </SettingRow>
      )}
    </section>
  );
}
