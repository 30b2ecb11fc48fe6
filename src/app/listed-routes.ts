/** Reads the endpoints that the build lists. */

import { isBuilt, readPackageFile } from '#base/package/package-files.js';
import type { ListedRoutes } from './late-endpoints.js';

/** `undefined` from source, and where the build has no list: then a start loads all areas. */
export function listedRoutes(): ListedRoutes | undefined {
  if (!isBuilt) return undefined;
  try {
    return JSON.parse(String(readPackageFile('dist/texts/routes.json')));
  } catch {
    return undefined;
  }
}
