/** Collections that are declared differently, but use the same code as Events, Books and Posts. */

import { collections } from '../../src/areas/data/built-in/collections.js';

const shownInFull = new Set(['Events', 'Books', 'Posts']);
const titles = collections.map(({ title }) => title).filter((title) => !shownInFull.has(title));

const ofThem = new RegExp(`^(?:get|post|put|patch|delete)(?:${titles.join('|')})(?!ByIdPosts)`);

/**
 * Whether OPTIONS is described with the other methods of the path, as for collections and records.
 */
export function describesOptions(path: string): boolean {
  const list = path.replace(/\/(?::id|\{id\})$/, '');
  return (
    /^\/my\/(?::collection|\{collection\})$/.test(list) ||
    /^\/json-server(?:\/|$)/.test(path) ||
    collections.some((each) => each.path === list)
  );
}

/** Whether examples and errors of another operation apply to this one, too. */
export function isAlikeAnother(operationId: string): boolean {
  return ofThem.test(operationId);
}
