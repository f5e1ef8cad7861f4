import type { ReactNode } from "react";

/** Dynamic like Plumbline's pages, which have a nonce and a person and so can't be built statically. */
export const dynamic = "force-dynamic";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
