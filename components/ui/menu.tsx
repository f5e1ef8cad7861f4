"use client";

import { Menu as BaseMenu } from "@base-ui/react/menu";
import { useState } from "react";
import type { MenuItem } from "./menu-item";
import type { PopupButtonProps } from "./popup-button";

const ROW =
  "flex h-8 items-center gap-2 px-3 outline-none select-none data-highlighted:bg-row-hover max-sm:h-11";

/** Landmarks of a page; a menu outside of them would be missing from the page's outline. */
const LANDMARKS = "header, main, nav";

/** A menu and its button, initially open. Default export for `popupButton`. */
export default function Menu({
  label,
  items,
  className,
  children,
  align = "start",
}: PopupButtonProps & { items: readonly MenuItem[]; align?: "start" | "end" }) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null);
  return (
    <BaseMenu.Root defaultOpen>
      <BaseMenu.Trigger
        ref={(trigger: HTMLElement | null) =>
          setLandmark(trigger?.closest<HTMLElement>(LANDMARKS) ?? null)
        }
        aria-label={label}
        className={className}
      >
        {children}
      </BaseMenu.Trigger>
      <BaseMenu.Portal container={landmark} className="absolute">
        <BaseMenu.Positioner
          align={align}
          sideOffset={4}
          // A choice may make the page longer, whose end the portal is at.
          positionMethod="fixed"
          className="z-20 outline-none"
        >
          <BaseMenu.Popup
            aria-label={label}
            className="max-w-(--available-width) min-w-[200px] rounded border border-ink bg-surface py-1 outline-none"
          >
            {items.map((item) => (
              <Item key={item.key} item={item} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function Item({ item }: { item: MenuItem }) {
  switch (item.kind) {
    case "note":
      return <div className="px-3 py-1.5 text-xs text-ink-3">{item.label}</div>;
    case "link":
      return (
        <BaseMenu.LinkItem
          className={`${ROW} ${item.isCurrent ? "font-medium" : ""}`}
          href={item.href}
          aria-current={item.isCurrent ? "page" : undefined}
        >
          <Text>{item.label}</Text>
        </BaseMenu.LinkItem>
      );
    case "action":
      return (
        <BaseMenu.Item className={ROW} onClick={item.onSelect}>
          <Text>{item.label}</Text>
        </BaseMenu.Item>
      );
    case "choice":
      return (
        <BaseMenu.RadioGroup
          aria-label={item.label}
          value={item.value}
          onValueChange={(value: string) => item.onChoose(value)}
          className="border-y border-line py-1 first:border-t-0 last:border-b-0 [&+[role=group]]:border-t-0"
        >
          {item.options.map((option) => (
            <BaseMenu.RadioItem
              key={option.value}
              value={option.value}
              closeOnClick={false}
              className={`${ROW} justify-between`}
            >
              <Text>{option.label}</Text>
              <BaseMenu.RadioItemIndicator className="font-medium">
                <span aria-hidden="true">✓</span>
              </BaseMenu.RadioItemIndicator>
            </BaseMenu.RadioItem>
          ))}
        </BaseMenu.RadioGroup>
      );
  }
}

/** In one line, which ends in "…" at the window's edge. */
function Text({ children }: { children: string }) {
  return (
    <span className="truncate" title={children}>
      {children}
    </span>
  );
}
