/** Encrypted reasoning, which shows whether a client has altered it or its summary. */

import { createHmac, hash } from 'node:crypto';

/** Public on purpose: it protects nothing, and all processes sign equally. */
const practiceKey = 'practice-reasoning';

const prefix = 'gAAAAA';
const digestBytes = 32;

interface Summary {
  readonly text: string;
}

/** Returns the same text for the same thinking and the same summary. */
export function encryptReasoning(thinking: string, summary: readonly Summary[]): string {
  return seal(Buffer.concat([digestOf(textOf(summary)), digestOf(thinking)]));
}

/** Returns whether a text was made by {@link encryptReasoning}. */
export function isEncrypted(text: string): boolean {
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  return text === seal(bytes.subarray(0, 2 * digestBytes));
}

/** Whether encrypted reasoning was sent with this summary. */
export function hasSummary(encrypted: string, summary: readonly Summary[]): boolean {
  const bytes = Buffer.from(encrypted.slice(prefix.length), 'base64url');
  return bytes.subarray(0, digestBytes).equals(digestOf(textOf(summary)));
}

const textOf = (summary: readonly Summary[]) => JSON.stringify(summary.map(({ text }) => text));

const digestOf = (text: string) => hash('sha256', text, 'buffer');

function seal(bytes: Buffer): string {
  const mac = createHmac('sha256', practiceKey).update(bytes).digest();
  return prefix + Buffer.concat([bytes, mac]).toString('base64url');
}
