/** Finds the part of the program that a function belongs to, by its position in a running file. */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** @type {Map<string, SourceMap>} */
const maps = new Map();

/**
 * Returns the source file below `src/`, the name of a package, or `Node`; undefined for other code.
 *
 * @param {string} url URL of a running file
 * @param {number} lineNumber From 0
 * @param {number} columnNumber
 */
export function ownerOf(url, lineNumber, columnNumber) {
  if (url.startsWith('node:')) return 'Node';
  const isBundle = url.includes('/dist/') && !url.includes('/node_modules/');
  const file = isBundle ? sourceOf(url, lineNumber, columnNumber) : url;
  const [, packageName] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return packageName ?? /\bsrc\/.*/.exec(file)?.[0];
}

/**
 * @param {string} url
 * @param {number} lineNumber
 * @param {number} columnNumber
 */
function sourceOf(url, lineNumber, columnNumber) {
  const map =
    maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  maps.set(url, map);
  const entry = map.findEntry(lineNumber, columnNumber);
  return 'originalSource' in entry ? entry.originalSource : url;
}
