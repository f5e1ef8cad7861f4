"use client";

import type { MenuItem } from "./menu-item";
import { popupButton } from "./popup-button";

/** A button with a menu whose items are known at render time. */
export const MenuButton = popupButton<{
  items: readonly MenuItem[];
  align?: "start" | "end";
}>("menu", () => import("./menu"));
