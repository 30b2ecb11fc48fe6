import { addressOwner } from '../../base/address-block.js';
import type { Request } from '../exchange.js';

/**
 * Returns the owner of a request's share of limited resources: its account, else its address. Pupils of a class, who are
 * behind one address, count by their sandbox.
 */
export function ownerOf({ accountId, ip, raw }: Request): string {
  const pupil = raw.sandboxAddress?.pupil;
  if (pupil !== undefined) return pupil.sandbox.name;
  return accountId === undefined ? addressOwner(ip) : `@${accountId}`;
}
