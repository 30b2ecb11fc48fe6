/** Numbers the functions of a source, and marks each of them, so that a run of a test shows which it executes. */

import { parseSync } from 'rolldown/utils';

/**
 * @typedef {{type: string, start: number, end: number} & Record<string, any>} Node A node of ESTree
 *
 * @typedef {object} Body The body of a function
 * @property {number} start
 * @property {number} end
 * @property {boolean} isBlock False for an arrow function whose body is an expression
 */

/** The global that notes the marks of functions. */
export const marks = 'practiceReached';

/**
 * Returns the bodies of the functions of a source, in the order of their beginnings.
 *
 * @param {string} file
 * @param {string} source
 * @returns {Body[]}
 */
export function bodiesIn(file, source) {
  /** @type {Body[]} */
  const bodies = [];
  /** @param {Node} node */
  const visit = (node) => {
    if (/Function/.test(node.type) && typeof node.body?.type === 'string') {
      const { type, start, end } = node.body;
      bodies.push({ start, end, isBlock: type === 'BlockStatement' });
    }
    for (const child of Object.values(node).flat())
      if (typeof child?.type === 'string') visit(child);
  };
  visit(/** @type {Node} */ (/** @type {unknown} */ (parseSync(file, source).program)));
  return bodies.sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Returns the number of the innermost function at a place; `undefined` outside of all. Defaults of parameters belong to the
 * function around.
 *
 * @param {readonly Body[]} bodies
 * @param {{start: number, end: number}} place
 */
export function functionAt(bodies, { start, end }) {
  const found = bodies.findLastIndex((body) => body.start <= start && end <= body.end);
  return found < 0 ? undefined : found;
}

/**
 * Returns the source with a mark at the beginning of each function. Lines stay the same.
 *
 * @param {string} file
 * @param {string} source
 */
export function withMarks(file, source) {
  const insertions = bodiesIn(file, source).flatMap(({ start, end, isBlock }, number) => {
    const mark = `globalThis.${marks}?.add(${JSON.stringify(`${file}#${number}`)})`;
    if (!isBlock)
      return [
        { at: start, order: number, text: `(${mark},` },
        { at: end, order: -number, text: ')' },
      ];
    const directives = /^\{\s*'use strict';?/.exec(source.slice(start, end))?.[0].length ?? 1;
    return [{ at: start + directives, order: number, text: `${mark};` }];
  });
  insertions.sort((a, b) => a.at - b.at || a.order - b.order);
  let marked = '';
  let place = 0;
  for (const { at, text } of insertions) {
    marked += source.slice(place, at) + text;
    place = at;
  }
  return marked + source.slice(place);
}
