"use client";

import Menu from "@/components/ui/menu";
import type { MenuItem } from "@/components/ui/menu-item";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { TODAY } from "./words";

/**
 * Menu of other companies. Default export for `popupButton`. @param current slug of the current one
 */
export default function CompanyMenu({
  companies,
  current,
  ...button
}: PopupButtonProps & { companies: readonly { slug: string; name: string }[]; current: string }) {
  const items: MenuItem[] = companies.map(({ slug, name }) => ({
    kind: "link",
    key: slug,
    label: name,
    href: `/${slug}`,
    isCurrent: slug === current,
  }));
  items.push({ kind: "link", key: "/", label: TODAY, href: "/" });
  return <Menu items={items} {...button} />;
}
