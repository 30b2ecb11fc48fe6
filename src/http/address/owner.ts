import { accountOwner, addressOwner, type Owner } from '#base/shares/owner.js';
import type { Request } from '../exchange.js';

/**
 * Returns the owner of a request's share of what is limited: its account, or else its address. A pupil is a part of the
 * owner of the class, wherever the request comes from.
 */
export function ownerOf({ accountId, ip, raw }: Request): Owner {
  const pupil = raw.sandboxAddress?.pupil;
  if (pupil !== undefined) return { name: pupil.owner, part: pupil.sandbox.name };
  return { name: accountId === undefined ? addressOwner(ip) : accountOwner(accountId), part: '' };
}
