/** The path of a request as rules, counts and logs of faults have it; the one place where it is taken for them. */

import type { FastifyRequest } from 'fastify';
import { originForm } from './origin-form.js';

/** Without scheme, host and query; escapes stay as they were sent. */
export function resourcePath({ raw }: Pick<FastifyRequest, 'raw'>): string {
  return originForm(raw.url ?? '').split('?', 1)[0] ?? '';
}
