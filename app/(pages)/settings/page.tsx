import { redirect } from "next/navigation";

/** The settings begin with a person's own. */
export default function SettingsPage() {
  redirect("/settings/me");
}
