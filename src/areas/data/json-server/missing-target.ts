/** Finds out before a body is read that its write gets 404, so that no 100 requests it (RFC 9110 section 10.1.1). */

import { isBodyWithheld } from '#http/body/request-body.js';
import type { Exchange, NestedPath } from './dialect.js';

/** The target of a write: a member of either kind, a collection, a single resource, or a record. */
export type Target = 'resource' | 'collection' | 'single' | 'record';

/** Whether the target of a write does not exist. Without Expect, the write itself finds out, after its body. */
export async function isTargetMissing(
  exchange: Exchange,
  target: Target,
  { resource, id = '', nested = resource }: Partial<NestedPath>,
): Promise<boolean> {
  if (!isBodyWithheld(exchange.request)) return false;
  const members = await exchange.members();
  const member = members.find(nested ?? '');
  if (member === undefined) return true;
  if (target === 'resource') return false;
  if (member.isSingle || target === 'single') return member.isSingle !== (target === 'single');
  return target === 'record' && (await members.get(member.name, id)) === undefined;
}
