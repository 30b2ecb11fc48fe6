/** Headers that an area wants on whatever is answered, also by others in its place. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from './area.js';

/** Makes the function that sets those that are wanted below an address, whether or not it is known. */
export function fixedHeaders(areas: readonly Area[]) {
  const fixed = areas.flatMap(({ fixedHeaders: each = [] }) => each);
  return (request: FastifyRequest, reply: FastifyReply, target = request.raw.url ?? ''): void => {
    for (const { below, values } of fixed) {
      if (!isBelow(target, below)) continue;
      reply.headers(typeof values === 'function' ? values(request) : values);
    }
  };
}

/** Whether a target is this path or one below it; letter case does not matter. */
export function isBelow(target: string, path: string): boolean {
  const next = target[path.length];
  const isWhole = next === undefined || next === '/' || next === '?' || next === ';';
  return isWhole && target.slice(0, path.length).toLowerCase() === path;
}
