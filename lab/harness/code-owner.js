/** Finds the part of the program that a function belongs to, by its position in a running file. */

import { readFileSync } from 'node:fs';

/**
 * Written by scripts/bundle-service.js, which describes it.
 *
 * @typedef {{ readonly sources: readonly string[], readonly steps: readonly (readonly [number, number, number])[] }} Lines
 */

/** @type {Map<string, Lines>} */
const known = new Map();

/**
 * Returns the source file below `src/`, the name of a package, or `Node`; undefined for other code.
 *
 * @param {string} url URL of a running file
 * @param {number} lineNumber From 0
 */
export function ownerOf(url, lineNumber) {
  if (url.startsWith('node:')) return 'Node';
  const isBundle =
    url.endsWith('.cjs') && url.includes('/dist/') && !url.includes('/node_modules/');
  const file = isBundle ? sourceOf(url, lineNumber) : url;
  const [, packageName] = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return packageName ?? /\bsrc\/.*/.exec(file)?.[0];
}

/**
 * @param {string} url
 * @param {number} lineNumber
 */
function sourceOf(url, lineNumber) {
  const lines = known.get(url) ?? JSON.parse(readFileSync(new URL(`${url}.lines.json`), 'utf8'));
  known.set(url, lines);
  let [from, source] = [0, 0];
  for (const [lineStep, sourceStep] of lines.steps) {
    if (from + lineStep > lineNumber) break;
    from += lineStep;
    source += sourceStep;
  }
  return lines.sources[source] ?? url;
}
