import { config } from "zod";

// The content security policy blocks the parsers that zod compiles. Import this before any schema: they read it when
// they are created.
config({ jitless: true });
