/** Writes data as JSON, the same text as JSON.stringify makes, and gives up what becomes too long. */

import { checkLength } from './request-context.js';

/**
 * Writes data without `undefined` in it. Throws {@link AnswerTooLargeError} before more is written than
 * `maxLength` characters and one leaf.
 */
export function writeJson(data: unknown, maxLength: number): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const isList = Array.isArray(data);
  let text = isList ? '[' : '{';
  // Only a list has so many members that taking them out first would cost.
  const members = isList ? data : Object.keys(data);
  for (let index = 0; index < members.length; index++) {
    if (index > 0) text += ',';
    let value: unknown = members[index];
    if (!isList) {
      text += `${JSON.stringify(value)}:`;
      value = (data as Readonly<Record<string, unknown>>)[value as string];
    }
    text += writeJson(value, maxLength - text.length);
    checkLength(text, maxLength);
  }
  return text + (isList ? ']' : '}');
}
