import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Page not found" };

/** Every other address below the settings. */
export default function MissingPage() {
  notFound();
}
