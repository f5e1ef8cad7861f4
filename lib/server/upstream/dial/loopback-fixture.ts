import { addressRange } from "./allowed-targets";

/** What a test may reach: this machine. */
export const LOOPBACK = ["127.0.0.0/8"].flatMap((text) => addressRange(text) ?? []);
