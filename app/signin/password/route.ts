import { route } from "@/lib/server/gate/route";
import { choosePassword } from "@/lib/server/operations/people/choose-password";

export const POST = route({ principal: "anyone", form: true }, (sent) =>
  choosePassword(sent.runtime, sent),
);
