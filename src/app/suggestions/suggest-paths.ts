/** Suggests paths for an unknown one: of the sandbox, of other services, related ones, or similar ones. */

import { lazily } from '#base/lazily.js';
import type { Request } from '#http/exchange.js';
import type { OwnPaths, TutorialHints } from '#kit/offers/entries.js';
import type { Router } from '../router.js';
import { nearestPaths } from './nearest-paths.js';
import { relatedPaths } from './related-paths.js';
import { usualPaths } from './usual-paths.js';

const maxSuggestions = 3;

/** The first segment of a method of gRPC. */
const serviceOfRpc = /^\/(\w[\w.]*\.[A-Z]\w*)\//;

/** Returns paths from the root, the likeliest first. */
export type SuggestPaths = (request: Request) => Promise<readonly string[]>;

/** `ownPaths` find paths by what the sandbox has. The practice APIs of `hints` are named by their base URL instead. */
export function pathSuggester(
  router: Router<unknown>,
  ownPaths: readonly OwnPaths[],
  hints: TutorialHints | undefined,
): SuggestPaths {
  const services = [...router.paths].flatMap((path) => serviceOfRpc.exec(path)?.[1] ?? []);
  const apart = [...(hints?.below.map((path) => path.slice(1)) ?? []), ...services];
  const nearest = lazily(() => nearestPaths(router.paths, apart));
  const related = lazily(() => relatedPaths(router.paths, apart));
  const isKnown = (path: string) => typeof router.find(path) === 'object';
  return async (request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const { below, withMore, withLess } = related();
    const own = await Promise.all(ownPaths.map((find) => findOwn(find, request, path)));
    const named = [...own.flat(), ...usualPaths(path, isKnown)];
    const find = (each: string) => firstFound([below, withMore, nearest(), withLess], each);
    const single = withoutRepetition(path);
    if (single !== path && isKnown(single)) return [single];
    const alike = find(path);
    const all = [...named, ...(alike.length > 0 ? alike : find(single))];
    return [...new Set(all)].slice(0, maxSuggestions);
  };
}

/** A base URL that ends like the path of the client, such as `/v1`, has a segment twice. */
const withoutRepetition = (path: string) =>
  path
    .split('/')
    .filter((each, index, all) => index === 0 || each !== all[index - 1])
    .join('/');

/** Without an account, and while the state is away, nothing of the caller's own can be suggested. */
async function findOwn(find: OwnPaths, request: Request, path: string): Promise<readonly string[]> {
  try {
    return await find(request, path);
  } catch {
    return [];
  }
}

function firstFound(
  finders: readonly ((path: string) => readonly string[])[],
  path: string,
): readonly string[] {
  for (const find of finders) {
    const found = find(path);
    if (found.length > 0) return found;
  }
  return [];
}
