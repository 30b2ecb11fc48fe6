/** Prints what a build does, and where its results are. Writes to the error output, because npm reads the other one. */

import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** @param {string} first The line that is printed at once */
export function reportParts(first) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error(first);
  return {
    /** @param {string} part */
    report: (part) => console.error(`  built the ${part} after ${seconds()} s`),
    /** @param {readonly string[]} paths of files, or of folders that end with a slash */
    end(paths) {
      const results = paths.map((path) => {
        const shown = relative(process.cwd(), path) || '.';
        return `${shown}${path.endsWith('/') ? '/' : ''} (${inMegabytes(bytesOf(path))})`;
      });
      console.error(`Built in ${seconds()} s: ${results.join(', ')}.`);
    },
  };
}

/** @param {string} path */
function bytesOf(path) {
  if (!path.endsWith('/')) return statSync(path).size;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => statSync(join(path, name))).filter((each) => each.isFile());
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** @param {number} bytes */
function inMegabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
