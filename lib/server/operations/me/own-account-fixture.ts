import { createPasswordMeter } from "@/lib/server/auth/password-meter";
import type { Mail } from "@/lib/server/delivery/mail";
import type { TestApp } from "@/lib/server/gate/app-fixture";
import type { OwnAccountRuntime } from "./own-account";

/** Makes an app's handlers use a runtime that also has what the operations on a person's own account need. */
export function serveOwnAccounts(app: TestApp) {
  /** The mails sent so far. */
  const mails: Mail[] = [];
  const passwordMeter = createPasswordMeter();
  const mailer: OwnAccountRuntime["mailer"] = {
    send(mail) {
      mails.push(mail);
      return Promise.resolve("accepted");
    },
  };
  const config = { ...app.runtime.config, adminEmail: "first@example.com" };
  const runtime = Object.assign({ ...app.runtime, config }, { mailer, passwordMeter });
  app.serve(runtime);
  return { runtime, mails, passwordMeter };
}
