"use client";

import { usePathname } from "next/navigation";
import { useState, useSyncExternalStore } from "react";
import { useZoneChoice } from "@/components/shell/time/zone";
import Menu from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/menu-item";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { clockOf } from "@/lib/client/preferences";
import { chooseTheme, onTheme, shownTheme, themeOf } from "@/lib/client/theme";
import { signOut } from "@/lib/client/session/sign-out";
import type { SettingsPage } from "@/lib/domain/words/settings-pages";
import { CLOCKS, NOT_SIGNED_OUT, SIGN_OUT, THEME, THEMES, ZONE } from "./menu-words";

/**
 * Account, display preferences, settings, and sign-out. Default export for `popupButton`.
 * @param settings settings pages that they may see
 */
export default function PersonMenu({
  email,
  settings,
  ...button
}: PopupButtonProps & { email: string; settings: readonly SettingsPage[] }) {
  const theme = useSyncExternalStore(onTheme, shownTheme);
  const { choice, choose } = useZoneChoice();
  const path = usePathname();
  const [hasFailed, setHasFailed] = useState(false);
  const leave = async () => setHasFailed(!(await signOut()));
  const items: MenuItem[] = [
    { kind: "note", key: "who", label: email },
    {
      kind: "choice",
      key: "theme",
      label: THEME,
      value: theme,
      options: THEMES,
      onChoose: (value) => chooseTheme(themeOf(value)),
    },
    {
      kind: "choice",
      key: "clock",
      label: ZONE,
      value: choice,
      options: CLOCKS,
      onChoose: (value) => choose(clockOf(value)),
    },
    ...settings.map(({ href, label }): MenuItem => ({
      kind: "link",
      key: href,
      label,
      href,
      isCurrent: href === path,
    })),
    { kind: "action", key: "sign-out", label: SIGN_OUT, onSelect: () => void leave() },
  ];
  return (
    <>
      {hasFailed ? (
        <span role="alert" className="text-xs text-failing-text">
          {NOT_SIGNED_OUT}
        </span>
      ) : null}
      <Menu items={items} align="end" {...button} />
    </>
  );
}
