import fs from "node:fs";

/**
 * Removes a file that another process may remove at the same time. `rmSync` with `force` checks first, and on
 * some versions of Node fails when the file disappears in between.
 * @param {string} file
 */
export function removeFile(file) {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
  }
}
