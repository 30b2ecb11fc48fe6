/** Reads the options in the query of a URL. */

import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { isRevision, type Revision, revisions } from '../messages/revision.js';
import type { Misbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { maxPageSize } from '../model/pages.js';
import type { Permission } from './protect.js';

export interface Address {
  /** Revisions that the address supports, the oldest first. */
  readonly supported: readonly Revision[];
  /** Items of each page of a list, if the address says so. */
  readonly pageSize: number | undefined;
  /** The owner of the access token; empty without one. */
  readonly principal: string;
  /** Only at the protected address. */
  readonly permission: Permission | undefined;
  readonly misbehaviour: Misbehaviour | undefined;
}

type Chosen = Partial<Pick<Address, 'permission' | 'misbehaviour'>>;

export function readAddress(
  { query }: Request,
  { permission, misbehaviour }: Chosen = {},
): Address {
  const { principal = '' } = permission ?? {};
  const { revisions: listed, pageSize } = query as { revisions?: unknown; pageSize?: unknown };
  return {
    supported: readRevisions(listed),
    pageSize: readPageSize(pageSize),
    principal,
    permission,
    misbehaviour,
  };
}

function readRevisions(listed: unknown): readonly Revision[] {
  if (listed === undefined) return revisions;
  const names = typeof listed === 'string' ? listed.split(',') : [];
  if (names.length === 0 || !names.every(isRevision)) {
    throw new HttpError(400, `revisions must be a list of ${revisions.join(', ')}.`);
  }
  return revisions.filter((each) => names.includes(each));
}

function readPageSize(sent: unknown): number | undefined {
  if (sent === undefined) return undefined;
  const size = Number(sent);
  if (Number.isInteger(size) && size >= 1 && size <= maxPageSize) return size;
  throw new HttpError(400, `pageSize must be an integer from 1 to ${maxPageSize}.`);
}
