/** What is signed: a line for each component, and one of the parameters (RFC 9421 section 2.5). */

import type { Fault } from '../../http/credentials/fault.js';
import { componentValue } from './component-value.js';
import type { SignedMessage } from './message.js';
import { type InnerList, structuredFields } from './structured-fields.js';

export interface SignatureBase {
  readonly lines: readonly string[];
  /** The first component that has no value, and why; the lines end before it. */
  readonly missing?: { readonly part: string } & Fault;
}

export function signatureBase(message: SignedMessage, input: InnerList): SignatureBase {
  const { serializeInnerList, serializeItem } = structuredFields();
  const lines: string[] = [];
  for (const item of input[0]) {
    const [name, parameters] = item;
    const part = serializeItem(item);
    const value =
      name === '@signature-params'
        ? { fault: 'It is the last line, and not covered by itself.' }
        : componentValue(message, String(name), parameters);
    if (typeof value !== 'string') return { lines, missing: { part, ...value } };
    lines.push(`${part}: ${value}`);
  }
  lines.push(`"@signature-params": ${serializeInnerList(input)}`);
  return { lines };
}

/** The bytes of the lines, without a line break at the end. */
export function baseBytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join('\n'), 'latin1');
}
