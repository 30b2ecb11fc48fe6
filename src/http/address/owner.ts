import { addressOwner } from '../../base/address-block.js';
import type { Request } from '../exchange.js';

/** Returns the owner of a request's share of limited resources: its account, else its address. */
export function ownerOf({ accountId, ip }: Request): string {
  return accountId === undefined ? addressOwner(ip) : `@${accountId}`;
}
