/** Owners of shares of what is limited: an account, or else an address. */

import { addressBlocks } from '../address-block.js';

/** The owner of a share. All parts of an owner together have one share, in which each part has a share again. */
export interface Owner {
  /** `@` and the id of an account, or `#` and an IPv4 address or IPv6 /64. */
  readonly name: string;
  /** The sandbox of a pupil, who is a part of the owner of the class; empty for the owner. */
  readonly part: string;
}

export function accountOwner(accountId: string): string {
  return `@${accountId}`;
}

/** Returns the owner of a client without an account: the narrowest block of its address. */
export function addressOwner(address: string): string {
  return `#${addressBlocks(address)[0]?.name ?? ''}`;
}

export function isAddressOwner(name: string): boolean {
  return name.startsWith('#');
}
