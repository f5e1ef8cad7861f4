"use client";

import { Suspense, useRef, useState, type ReactNode } from "react";
import { later, whenCome } from "./later";
import type { MenuItem } from "./menu-item";

const loadMenu = () => import("./menu");
const Menu = later(loadMenu);

/**
 * A button with a menu. The menu's code comes when somebody is about to open it, so that no page
 * pays for it at first paint; until then the button looks and answers the same.
 */
export function MenuButton({
  label,
  items,
  className,
  children,
  align = "start",
}: {
  /** Accessible name of button and menu. */
  label: string;
  items: readonly MenuItem[];
  className: string;
  children: ReactNode;
  align?: "start" | "end";
}) {
  const [isWanted, setIsWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const open = () => whenCome(loadMenu, () => setIsWanted(true));
  const plain = (
    <button
      ref={button}
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded="false"
      className={className}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown") return;
        event.preventDefault();
        open();
      }}
    >
      {children}
    </button>
  );
  if (!isWanted) return plain;
  return (
    <Suspense fallback={plain}>
      <Menu label={label} items={items} className={className} align={align}>
        {children}
      </Menu>
    </Suspense>
  );
}
