import { duration } from "@/lib/domain/words/format";

export const SIGN_IN = "Sign in";

export const intro = {
  name: "Plumbline",
  heading: "Is their data in sync?",
  sentence: "Sign in to see every endpoint, how old its data is, and what to tell the customer.",
  noScript: "Turn on JavaScript in this browser to sign in.",
};

export const formWords = {
  email: "Work email",
  password: "Password",
  busy: "Signing in…",
};

export const problems = {
  credentials: "Wrong email or password.",
  limited: (retryAfterSeconds: number | undefined) =>
    retryAfterSeconds === undefined
      ? "Too many attempts. Try again later."
      : `Too many attempts. Try again in ${duration(retryAfterSeconds * 1000)}.`,
  unreachable: "Plumbline isn’t responding. Try again.",
};
