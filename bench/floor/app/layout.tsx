import type { ReactNode } from "react";

/** Plumbline's pages carry a nonce and a person, so none of theirs is made at build time either. */
export const dynamic = "force-dynamic";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
