/** Paths as clients write them, who may reach the service below a path of a proxy, or in a sandbox's address. */

import type { Request } from '../exchange.js';
import { originForm } from './origin-form.js';
import { sentTargetOf } from './sandbox-address.js';

/** What stands before each path of the service, by its base URL; empty where nothing does. */
export function basePathOf(baseUrl: string): string {
  return baseUrl.replace(/^[^:]+:\/\/[^/]*/, '');
}

/** The path of a request as it was sent, without its query. */
export function sentPathOf({ raw }: Request): string {
  return originForm(sentTargetOf(raw)).split(/[?#]/, 1)[0] ?? '/';
}
