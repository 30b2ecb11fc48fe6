/** Headers that an area wants on whatever is answered, also by others in its place. */

import type { Reply, Request } from '../http/exchange.js';
import type { Area } from '../kit/area.js';

/** Sets what is wanted at the target, which is the request's own unless another is given. */
export type SetFixedHeaders = (request: Request, reply: Reply, target?: string) => void;

/** Makes the function that sets those that are wanted below an address, whether or not it is known. */
export function fixedHeaders(areas: readonly Area[]): SetFixedHeaders {
  const fixed = areas.flatMap(({ fixedHeaders: each = [] }) => each);
  return (request, reply, target = request.raw.url ?? '') => {
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
