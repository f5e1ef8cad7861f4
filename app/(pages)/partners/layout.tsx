import type { ReactNode } from "react";
import "@/app/styles/flat-rows.css";
import "@/app/styles/partners.css";

/** Partners at all customers: the pages share a stylesheet. */
export default function PartnersLayout({ children }: { children: ReactNode }) {
  return children;
}
