/** Finds the method that a caller of an unknown one may mean. */

import leven from 'leven';
import type { Request } from '#http/exchange.js';
import { RpcError } from '../messages/rpc-error.js';
import type { ServedMethod } from '../model/method.js';

const maxShownLength = 200;

export function suggestMethod(methods: readonly ServedMethod[], { url }: Request): RpcError {
  const path = (url.split('?', 1)[0] ?? '').slice(0, maxShownLength);
  const sent = path.toLowerCase();
  let nearest = '';
  let least = Number.POSITIVE_INFINITY;
  for (const each of methods) {
    const distance = leven(sent, each.path.toLowerCase());
    if (distance < least) [nearest, least] = [each.path, distance];
  }
  return unknownMethod(path, nearest);
}

export const unknownMethod = (path: string, nearest: string): RpcError =>
  new RpcError(
    'UNIMPLEMENTED',
    `There is no method ${path.slice(0, maxShownLength)}. Did you mean ${nearest}?`,
  );
