/** Writes data as JSON, the same text as JSON.stringify makes, and gives up what becomes too long. */

import { checkLength } from './request-context.js';

/**
 * Writes data without `undefined` in it. Throws {@link AnswerTooLargeError} before more is written than
 * `maxLength` characters and one object of leaves.
 */
export function writeJson(data: unknown, maxLength: number): string {
  if (!isNested(data)) return JSON.stringify(data);
  const isList = Array.isArray(data);
  let text = isList ? '[' : '{';
  // The members of a list, or the names of an object's.
  const members: readonly unknown[] = isList ? data : Object.keys(data);
  for (let index = 0; index < members.length; index++) {
    if (index > 0) text += ',';
    let value = members[index];
    if (!isList) {
      text += `${JSON.stringify(value)}:`;
      value = data[value as string];
    }
    text += writeJson(value, maxLength - text.length);
    checkLength(text, maxLength);
  }
  return text + (isList ? ']' : '}');
}

/** A list, or an object that has more than leaves in it, which are written at once. */
function isNested(data: unknown): data is Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null) return false;
  return Array.isArray(data) || Object.values(data).some((value) => typeof value === 'object');
}
