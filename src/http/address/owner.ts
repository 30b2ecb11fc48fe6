/** Owners of shares of scarce things. */

import { addressOwner } from '../../base/address-block.js';
import type { Request } from '../exchange.js';

/** The owner of what a request takes: its account, else its address, which a trusted proxy may have forwarded. */
export function ownerOf({ accountId, ip }: Request): string {
  return accountId === undefined ? addressOwner(ip) : `@${accountId}`;
}
