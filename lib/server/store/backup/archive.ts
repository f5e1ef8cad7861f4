import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, crc32, createGunzip, createGzip } from "node:zlib";
import type { DerivedKey } from "@/lib/server/keys";

/**
 * Backup file format: a gzip-compressed tar archive, followed by two more gzip members. The first contains the
 * HMAC-SHA-256 of the archive under our key, so that write access to the file isn't enough to change its
 * contents. The last contains the SHA-256 of everything before it, which detects damage without a key. See
 * docs/decisions/0015-backups-are-archives-of-copies.md.
 */

/** One file of the archive; a table is split into several. */
export type Entry = { name: string; bytes: Buffer };

/** Steps of writing: if killed at any of them, the file is complete or missing. */
export const WRITING_STEPS = ["opened", "entry", "written", "synced", "renamed"] as const;
export type WritingStep = (typeof WRITING_STEPS)[number];

/** The file can't be used; the message is readable. */
export class BadBackup extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "BadBackup";
  }
}

/** The file is intact, but not verifiably written by this installation; the message is readable. */
export class UnverifiedBackup extends BadBackup {}

const BLOCK = 512;
/** Upper limit of what we write; entries are read into memory one at a time. */
const LARGEST_ENTRY = 16 * 1024 * 1024;
/** Size of a gzip member without its text: header, block header, checksum and length. */
const MEMBER_BYTES = 10 + 5 + 8;
const SEAL_BYTES = MEMBER_BYTES + "sha256:".length + 64 + 1;
const SIGNATURE_BYTES = MEMBER_BYTES + "hmac-sha256::".length + 16 + 64 + 1;
const SIGNATURE = /hmac-sha256:([0-9a-f]{16}):([0-9a-f]{64})\n/;
/**
 * Already shrinks repetitive rows to a ninth; higher levels take several times as long to save another tenth.
 */
const LEVEL = 3;

/**
 * Writes an archive under a temporary name and renames it once it is complete and on disk.
 * @param entries names of at most 100 ASCII characters
 * @param options.key signing key
 * @param options.signal aborts, leaving nothing behind
 * @param options.onStep called and awaited at each step
 * @returns its size in bytes
 * @throws Error with a readable message when `file` exists; Error of the file system; any error of `entries`
 */
export async function writeArchive(
  file: string,
  entries: AsyncIterable<Entry>,
  options: {
    key: DerivedKey;
    signal?: AbortSignal | undefined;
    onStep?: ((step: WritingStep) => void | Promise<void>) | undefined;
  },
): Promise<number> {
  const { key, signal, onStep = () => {} } = options;
  await refuseIfThere(file);
  const partial = `${file}.partial`;
  // Left by a killed process. A concurrent writer notices before it renames.
  await rm(partial, { force: true });
  const handle = await open(partial, "wx", 0o600).catch((error: unknown) => {
    // Report the requested name instead of the temporary one.
    throw error instanceof Error ? Object.assign(error, { path: file }) : error;
  });
  const { ino } = await handle.stat();
  const isOurs = async () => (await lstat(partial).catch(() => null))?.ino === ino;
  try {
    await onStep("opened");
    await pipeline(
      frames(entries, () => onStep("entry")),
      createGzip({ level: LEVEL, chunkSize: 64 * 1024 }),
      (compressed: AsyncIterable<Buffer>) => sealed(compressed, key),
      // By descriptor, because a stream of the handle would prevent closing it.
      createWriteStream("", { fd: handle.fd, autoClose: false }),
      { signal },
    );
    await onStep("written");
    await handle.sync();
    await onStep("synced");
    const { size } = await handle.stat();
    if (!(await isOurs())) throw new Error(`${file} is being written by another process.`);
    await refuseIfThere(file);
    await rename(partial, file);
    await onStep("renamed");
    await syncDirectory(path.dirname(file));
    return size;
  } catch (error) {
    if (await isOurs()) await rm(partial, { force: true }).catch(() => {});
    throw error;
  } finally {
    await handle.close().catch(() => {});
  }
}

async function refuseIfThere(file: string): Promise<void> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found !== null) throw new Error(`${file} already exists. Choose another name.`);
}

/** Makes the rename survive a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  const entry = await open(directory, "r");
  try {
    await entry.sync();
  } finally {
    await entry.close();
  }
}

async function* frames(
  entries: AsyncIterable<Entry>,
  onEntry: () => void | Promise<void>,
): AsyncGenerator<Buffer> {
  for await (const { name, bytes } of entries) {
    yield headerOf(name, bytes.length);
    yield bytes;
    const over = bytes.length % BLOCK;
    if (over > 0) yield Buffer.alloc(BLOCK - over);
    await onEntry();
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** A POSIX tar header ("ustar"). */
function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a name for an archive`);
  if (size > LARGEST_ENTRY) throw new Error(`${name} is too large for an archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, "0");
  header.write(name, 0);
  header.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  // Modification times are all the epoch; the manifest has the backup's time.
  header.write(`${octal(size, 11)}\0${octal(0, 11)}\0        0`, 124);
  header.write("ustar\u000000", 257);
  header.write(`${octal(sumOf(header), 6)}\0 `, 148);
  return header;
}

/** Checksum of a header, with the checksum field counted as blanks. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 0x20 : (header[at] ?? 0);
  return sum;
}

async function* sealed(compressed: AsyncIterable<Buffer>, key: DerivedKey): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  const mac = createHmac("sha256", key.secret);
  for await (const chunk of compressed) {
    hash.update(chunk);
    mac.update(chunk);
    yield chunk;
  }
  const signature = memberOf(`hmac-sha256:${key.id}:${mac.digest("hex")}\n`);
  yield signature;
  yield sealOf(hash.update(signature).digest("hex"));
}

const sealOf = (sha256: string) => memberOf(`sha256:${sha256}\n`);

/** A gzip member with reproducible bytes: one uncompressed block. */
function memberOf(words: string): Buffer {
  const text = Buffer.from(words);
  const member = Buffer.alloc(MEMBER_BYTES + text.length);
  Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1]).copy(member);
  member.writeUInt16LE(text.length, 11);
  member.writeUInt16LE(~text.length & 0xffff, 13);
  text.copy(member, 15);
  member.writeUInt32LE(crc32(text), 15 + text.length);
  member.writeUInt32LE(text.length, 19 + text.length);
  return member;
}

/**
 * Reads an archive entry by entry. Entries can be trusted only once the last one was read: until then, neither
 * integrity nor signature is verified.
 * @param options.keys accepted signing keys; null: skips verification of the signature
 * @param options.onBytes called with the bytes of the file read so far, and its size
 * @throws BadBackup when it is damaged, incomplete or something else; Error of the file system
 */
export async function* readArchive(
  file: string,
  options: {
    keys: readonly DerivedKey[] | null;
    signal?: AbortSignal | undefined;
    onBytes?: ((read: number, of: number) => void) | undefined;
  },
): AsyncGenerator<Entry> {
  const { keys, signal, onBytes = () => {} } = options;
  const info = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
    throw new BadBackup(`There is no file ${file}.`, cause);
  });
  if (!info.isFile()) throw new BadBackup(`${file} isn't a file.`);
  if (info.size <= SEAL_BYTES) throw notABackup(file);
  const signature = await readSignature(file, info.size);
  const end = info.size - SEAL_BYTES - (signature?.bytes.length ?? 0);
  const key = keys?.find(({ id }) => id === signature?.keyId);
  const hash = createHash("sha256");
  const mac = key === undefined ? null : createHmac("sha256", key.secret);
  let read = 0;
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const reading = pipeline(
    createReadStream(file, { end: end - 1, highWaterMark: 256 * 1024 }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        mac?.update(chunk);
        read += chunk.length;
        onBytes(read, info.size);
        yield chunk;
      }
    },
    gunzip,
    { signal },
  );
  // The error also surfaces through `gunzip`, which is read below.
  reading.catch(() => {});
  try {
    yield* parse(gunzip, file);
    await reading;
  } catch (cause) {
    if (!isOfZlib(cause)) throw cause;
    throw read < 1_000_000 && cause.message === "incorrect header check"
      ? notABackup(file, cause)
      : damaged(file, cause);
  }
  if (signature !== null) hash.update(signature.bytes);
  if (!(await hasSeal(file, info.size - SEAL_BYTES, hash.digest("hex")))) throw damaged(file);
  if (keys === null) return;
  if (signature === null) throw unsigned(file);
  if (mac === null) throw signedElsewhere(file);
  if (!timingSafeEqual(mac.digest(), signature.mac)) throw forged(file);
}

/** The signature in front of the seal, not yet verified; null: unsigned. */
async function readSignature(
  file: string,
  size: number,
): Promise<{ bytes: Buffer; keyId: string; mac: Buffer } | null> {
  const at = size - SEAL_BYTES - SIGNATURE_BYTES;
  if (at <= 0) return null;
  const bytes = await readAt(file, at, SIGNATURE_BYTES);
  const [words, keyId, mac] = SIGNATURE.exec(bytes.toString("latin1")) ?? [];
  if (words === undefined || keyId === undefined || mac === undefined) return null;
  return bytes.equals(memberOf(words)) ? { bytes, keyId, mac: Buffer.from(mac, "hex") } : null;
}

async function readAt(file: string, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const handle = await open(file, "r");
  try {
    await handle.read(bytes, 0, length, at);
  } finally {
    await handle.close();
  }
  return bytes;
}

/**
 * Whether a file's bytes match its seal, even if its contents can't be parsed.
 * @throws Error of the file system
 */
export async function isAsWritten(file: string, signal?: AbortSignal): Promise<boolean> {
  const { size } = await stat(file);
  if (size <= SEAL_BYTES) return false;
  const end = size - SEAL_BYTES;
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { end: end - 1, highWaterMark: 256 * 1024 }), hash, {
    signal,
  });
  return hasSeal(file, end, hash.digest("hex"));
}

async function hasSeal(file: string, end: number, sha256: string): Promise<boolean> {
  return (await readAt(file, end, SEAL_BYTES)).equals(sealOf(sha256));
}

async function* parse(source: AsyncIterable<Buffer>, file: string): AsyncGenerator<Entry> {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let heldBytes = 0;

  /** The next `size` bytes; null when fewer are left. */
  async function take(size: number): Promise<Buffer | null> {
    while (heldBytes < size) {
      const { done, value } = await chunks.next();
      if (done === true) return null;
      held.push(value);
      heldBytes += value.length;
    }
    const all = held.length === 1 && held[0] !== undefined ? held[0] : Buffer.concat(held);
    const rest = all.subarray(size);
    held = rest.length === 0 ? [] : [rest];
    heldBytes = rest.length;
    return all.subarray(0, size);
  }

  for (let isFirst = true; ; isFirst = false) {
    const header = await take(BLOCK);
    if (header === null) throw isFirst ? notABackup(file) : damaged(file);
    if (header.every((byte) => byte === 0)) {
      const second = await take(BLOCK);
      if (second?.every((byte) => byte === 0) !== true || (await take(1)) !== null) {
        throw damaged(file);
      }
      return;
    }
    const digits = (from: number, to: number) =>
      Number.parseInt(header.toString("latin1", from, to), 8);
    if (digits(148, 156) !== sumOf(header)) throw isFirst ? notABackup(file) : damaged(file);
    const size = digits(124, 136);
    if (!(size >= 0 && size <= LARGEST_ENTRY)) throw damaged(file);
    const name = header.toString("utf8", 0, header.indexOf(0));
    const padded = await take(Math.ceil(size / BLOCK) * BLOCK);
    if (padded === null) throw damaged(file);
    yield { name, bytes: padded.subarray(0, size) };
  }
}

function isOfZlib(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && Object.hasOwn(constants, code) && code.startsWith("Z_");
}

const notABackup = (file: string, cause?: unknown) =>
  new BadBackup(`${file} isn't a backup of Plumbline.`, cause);

export const damaged = (file: string, cause?: unknown) =>
  new BadBackup(
    `${file} is damaged or incomplete: it isn't what was written. Use another backup. Nothing was changed.`,
    cause,
  );

const TRUST_IT =
  "To restore it all the same, add --trust-unverified-file: then whatever the file says holds, also who is an administrator. Nothing was changed.";

const unsigned = (file: string) =>
  new UnverifiedBackup(
    `${file} isn't signed: a version of Plumbline that didn't sign backups made it, or someone has changed it. ${TRUST_IT}`,
  );

const signedElsewhere = (file: string) =>
  new UnverifiedBackup(
    `${file} is signed with an AUTH_SECRET that isn't known here. Set AUTH_SECRET to the one of the Plumbline that made it, or name that in EARLIER_AUTH_SECRETS; if it had none set, it's in the file auth-secret of its DATA_DIR. ${TRUST_IT}`,
  );

const forged = (file: string) =>
  new UnverifiedBackup(
    `${file} was changed after it was made: its signature doesn't match. Use another backup. ${TRUST_IT}`,
  );
