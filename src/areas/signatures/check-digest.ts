/** Whether a body is the one that Content-Digest tells of: RFC 9530 section 2. */

import { isFault } from '../../http/credentials/fault.js';
import { type DigestAlgorithm, digestOf } from '../../http/sending/digest-fields.js';
import type { SignedMessage } from './message.js';
import { structuredFields } from './structured-fields.js';

const known = ['sha-256', 'sha-512'] as const satisfies readonly DigestAlgorithm[];

/** What is wrong with it; every digest of an algorithm that is known must be right, and there must be one. */
export function digestFault({ fields, body }: SignedMessage): string | undefined {
  if (fields.textOf('content-digest') === '') return undefined;
  const { serializeItem } = structuredFields();
  const digests = fields.dictionaryOf('content-digest');
  if (isFault(digests)) return `It is no dictionary: ${digests.fault}`;
  const sent = known.filter((name) => digests.has(name));
  if (sent.length === 0) return `It has none of the algorithms ${known.join(', ')}.`;
  for (const name of sent) {
    const value = digests.get(name)?.[0];
    if (!(value instanceof ArrayBuffer)) return `${name} is no byte sequence.`;
    const expected = digestOf(name, body);
    if (`${name}=${serializeItem(value)}` !== expected) {
      return `The body that arrived has ${expected}.`;
    }
  }
  return undefined;
}
