/** Suggests the caller's collections for unknown paths that name one, such as /posts and /api/posts/1. */

import type { OwnPaths } from '#kit/offers/entries.js';
import { ownPath } from './initial-data.js';
import type { OwnStore } from './own-store.js';

const maxLength = 200;

export function suggestOwnPaths(store: OwnStore): OwnPaths {
  return async ({ sandbox }, path) => {
    if (path.length > maxLength) return [];
    const { model } = await store.find(sandbox);
    const segments = path.split('/').filter((segment) => segment !== '');
    const [first = '', ...rest] =
      segments[0]?.toLowerCase() === 'api' ? segments.slice(1) : segments;
    const name = [...model.data.members.keys()].find(
      (each) => each.toLowerCase() === first.toLowerCase(),
    );
    if (name === undefined) return [];
    const below = rest.map((segment) => `/${segment}`).join('');
    return [ownPath(name) + below, `/json-server/${encodeURIComponent(name)}${below}`];
  };
}
