/** Paths as clients write them, who may reach the service below a path of a proxy, or in a sandbox's address. */

import type { FastifyRequest } from 'fastify';
import { originForm } from '../server/origin-form.js';
import { sentTargetOf } from '../server/sandbox-address.js';

/** What stands before each path of the service, by its base URL; empty where nothing does. */
export function basePathOf(baseUrl: string): string {
  return baseUrl.replace(/^[^:]+:\/\/[^/]*/, '');
}

/** The path of a request as it was sent, without its query. */
export function sentPathOf({ raw }: FastifyRequest): string {
  return originForm(sentTargetOf(raw)).split(/[?#]/, 1)[0] ?? '/';
}
