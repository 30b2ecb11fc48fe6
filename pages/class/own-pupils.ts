/**
 * The pupils who have joined in this browser, so that they get back in after they close the tab. The
 * path of a pupil is a key: only pages of this service can read it here.
 */

import { addressOf } from '../shared/address-of.js';
import { readStored, store } from '../shared/stored-text.js';
import type { Membership } from './api.js';

export interface OwnPupil {
  readonly label: string;
  readonly class: string;
  /** Begins with `/s/~`. */
  readonly path: string;
}

/** Not below `practice-api:`, where the GraphQL editor keeps, counts and clears its own keys. */
const storedName = 'practice-api-pupils';

/** One computer of a classroom has several pupils in turn. */
const maxStored = 10;

const isOwnPupil = (item: Partial<OwnPupil> | null): item is OwnPupil =>
  typeof item?.label === 'string' &&
  typeof item.class === 'string' &&
  /^\/s\/~[\w-]{22}$/.test(item.path ?? '');

/** Returns the pupils of this browser, the newest first. */
export function ownPupils(): readonly OwnPupil[] {
  try {
    const stored: unknown = JSON.parse(readStored(storedName) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isOwnPupil) : [];
  } catch {
    return [];
  }
}

export const pathOf = (address: string) => address.slice(address.lastIndexOf('/s/~'));

export function storePupil({ label, class: ofClass, address }: Membership): void {
  const path = pathOf(address);
  const added: OwnPupil = { label, class: ofClass, path };
  const others = ownPupils().filter((each) => each.path !== path);
  store(storedName, JSON.stringify([added, ...others].slice(0, maxStored)));
}

export function forgetPupil(path: string): void {
  store(storedName, JSON.stringify(ownPupils().filter((each) => each.path !== path)));
}

/** Returns the base URL of a pupil; this page may be below the path of another sandbox. */
export const baseOf = ({ path }: OwnPupil): string =>
  addressOf('').replace(/\/s\/[^/]+$/, '') + path;
