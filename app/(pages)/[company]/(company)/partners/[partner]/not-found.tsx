import type { Metadata } from "next";
import { UnknownPartner } from "@/components/partner/unknown-partner";

export const metadata: Metadata = { title: "No such partner" };

export default function PartnerNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <UnknownPartner />
    </main>
  );
}
