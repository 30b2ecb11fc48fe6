/** Owners of shares of scarce things. */

import type { FastifyRequest } from 'fastify';
import { addressOwner } from '../address-block.js';

/** The owner of what a request takes: its account, else its address, which a trusted proxy may have forwarded. */
export function ownerOf({ accountId, ip }: FastifyRequest): string {
  return accountId === undefined ? addressOwner(ip) : `@${accountId}`;
}
