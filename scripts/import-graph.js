/** Reads and analyses the imports between files: what they name, cycles, and the depth of a folder. */

import { dirname, join } from 'node:path';

/** @typedef {ReadonlyMap<string, readonly string[]>} Imports The imported files of each file */

/**
 * Returns the paths of the files of ours that a file imports, by any kind of import or as a URL. `#` is `src/`.
 *
 * @param {string} file Its path from the root of the project
 * @param {string} text
 */
export function importsIn(file, text) {
  const found = text.matchAll(/(?: from |\bimport |\(\s*)'([.#][^'\n]*)'/g);
  return [...found].map(([, path = '']) =>
    path.startsWith('#') ? `src/${path.slice(1)}` : join(dirname(file), path),
  );
}

/**
 * Returns the groups of files that import each other, directly or indirectly (Tarjan's strongly
 * connected components).
 * Every group comes after the groups that it imports; files in no cycle are groups of one.
 *
 * @param {Imports} imports
 */
export function groupsOf(imports) {
  /** @type {string[][]} */
  const groups = [];
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {string[]} */
  const open = [];

  /**
   * @param {string} file
   * @returns {number} the lowest number of an open file that it reaches
   */
  function visit(file) {
    const number = numbers.size;
    numbers.set(file, number);
    open.push(file);
    let lowest = number;
    for (const imported of imports.get(file) ?? []) {
      if (!imports.has(imported)) continue;
      const known = numbers.get(imported);
      if (known === undefined) lowest = Math.min(lowest, visit(imported));
      else if (open.includes(imported)) lowest = Math.min(lowest, known);
    }
    if (lowest === number) groups.push(open.splice(open.indexOf(file)));
    return lowest;
  }

  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return groups;
}

/**
 * Returns the length of the longest chain of imports among some files; the files of a cycle count
 * as one.
 *
 * @param {Imports} imports
 */
export function floorsOf(imports) {
  /** @type {Map<string, number>} */
  const floors = new Map();
  for (const group of groupsOf(imports)) {
    const below = group.flatMap((file) =>
      (imports.get(file) ?? []).map((imported) => floors.get(imported) ?? 0),
    );
    for (const file of group) floors.set(file, 1 + Math.max(0, ...below));
  }
  return Math.max(0, ...floors.values());
}
