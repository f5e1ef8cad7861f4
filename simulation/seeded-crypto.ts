import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { uuidOf, type Random } from "./random";

/**
 * Makes the random ids and nonces of this process follow from a seed: those that our code and PostgreSQL's driver draw
 * where they need no parameter for it.
 * @returns gives the true ones back
 */
export function seedCrypto(random: Random): () => void {
  const { randomUUID, randomBytes } = crypto;
  const seeded = (size: number) =>
    Buffer.from(Array.from({ length: size }, () => random.whole(0, 255)));
  Object.assign(crypto, { randomUUID: () => uuidOf(random), randomBytes: seeded });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { randomUUID, randomBytes });
    syncBuiltinESMExports();
  };
}
