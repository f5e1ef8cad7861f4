"use client";

import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link within the app.
 * @param prefetch true loads the page's code and data ahead; by default links in view don't
 */
export function Link({
  prefetch = false,
  ...rest
}: Omit<ComponentProps<typeof NextLink>, "prefetch" | "href"> & {
  href: string;
  prefetch?: boolean;
}) {
  return <NextLink {...rest} prefetch={prefetch} />;
}
