/** Collections that are what Events, Books and Posts are, by the same code over another declaration. */

import { collections } from '../../src/areas/data/built-in/collections.js';

const shownInFull = new Set(['Events', 'Books', 'Posts']);
const titles = collections.map(({ title }) => title).filter((title) => !shownInFull.has(title));

const ofThem = new RegExp(`^(?:get|post|put|patch|delete)(?:${titles.join('|')})(?!ByIdPosts)`);

/**
 * Whether OPTIONS is supported there, which is told with the other methods of the path: those of collections and
 * records.
 */
export function tellsOfOptions(path: string): boolean {
  const list = path.replace(/\/(?::id|\{id\})$/, '');
  return (
    /^\/my\/(?::collection|\{collection\})$/.test(list) ||
    collections.some((each) => each.path === list)
  );
}

/** Whether an operation is alike another whose examples and faults stand for its own. */
export function isAlikeAnother(operationId: string): boolean {
  return ofThem.test(operationId);
}
