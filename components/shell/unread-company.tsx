"use client";

import type { ReactNode } from "react";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { useLiveCompany } from "./live-company";
import { connectionWords } from "./words";

/**
 * Instead of content that the company's source hasn't given us: with the way to its connection, or who has access, while
 * it's connected.
 */
export function UnreadCompany({
  title,
  heading,
  children,
}: {
  title: string;
  heading?: "h1" | "h2";
  children: ReactNode;
}) {
  const { mayConnect, source } = useLiveCompany();
  const isConnected = source.left == null;
  return (
    <Empty
      title={title}
      {...(heading !== undefined && { heading })}
      action={
        isConnected && mayConnect ? (
          <Link href="/settings/connections" className="button-link">
            {connectionWords.check}
          </Link>
        ) : null
      }
    >
      {children}
      {isConnected && !mayConnect ? ` ${connectionWords.ask}` : null}
    </Empty>
  );
}
