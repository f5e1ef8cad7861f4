"use client";

import type { MenuItem } from "./menu-item";
import { popupButton } from "./popup-button";

/** A button with a menu of what is known when the page is drawn. */
export const MenuButton = popupButton<{
  items: readonly MenuItem[];
  align?: "start" | "end";
}>("menu", () => import("./menu"));
