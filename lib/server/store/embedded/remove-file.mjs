import fs from "node:fs";

/**
 * Removes a file that another process may remove at the same moment. `rmSync` with `force` looks before it removes, and
 * on some versions of Node fails when the file goes in between.
 * @param {string} file
 */
export function removeFile(file) {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOENT") throw error;
  }
}
