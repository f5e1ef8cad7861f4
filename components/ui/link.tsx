"use client";

import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of ours.
 * @param prefetch true loads the page's code and data ahead; by default nothing is loaded because a link is in view
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
