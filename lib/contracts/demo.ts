import { z } from "zod";

/** `DELETE /api/demo`: nothing can be chosen. */
export const DemoRemovalRequest = z.strictObject({}).optional();

/**
 * Its response: "removing" while the rest is still being deleted in the background; pages show none of it by then.
 */
export const DemoRemoval = z.object({ state: z.enum(["removed", "removing"]) });

export type DemoRemoval = z.infer<typeof DemoRemoval>;
