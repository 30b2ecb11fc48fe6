/** Headers that an area wants on whatever is answered, also by others in its place. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Area } from './area.js';

/** Makes the function that sets those of the area that the address is below, whether or not it is known. */
export function fixedHeaders(areas: readonly Area[]) {
  const fixed = areas.flatMap(({ fixedHeaders: each = [] }) => each);
  return ({ raw }: FastifyRequest, reply: FastifyReply): void => {
    for (const { below, values } of fixed) {
      if (isBelow(raw.url ?? '', below)) reply.headers(values);
    }
  };
}

/** Whether a target is this path or one below it; letter case does not matter. */
export function isBelow(target: string, path: string): boolean {
  const next = target[path.length];
  const isWhole = next === undefined || next === '/' || next === '?' || next === ';';
  return isWhole && target.slice(0, path.length).toLowerCase() === path;
}
