/** Parses values of the types of XML Schema. */

import { quote, trimXml } from '#http/xml/text.js';

export const minInt = -(2 ** 31);
export const maxInt = 2 ** 31 - 1;

/** Thrown if text is not a value of a type; the message follows the name of its element. */
export class ValueError extends Error {
  override readonly name = 'ValueError';
}

/** Parses `xs:int` (part 2 section 3.3.17): ignores surrounding white space, and accepts a sign. */
export function parseInt32(text: string): number {
  const digits = trimXml(text);
  if (!/^[+-]?[0-9]+$/.test(digits)) {
    const sent = digits === '' ? 'is empty' : `is ${quote(digits)}`;
    throw new ValueError(`${sent}, but must be an integer such as 42 or -7.`);
  }
  const value = Number(digits);
  if (value < minInt || value > maxInt) {
    throw new ValueError(
      `is ${quote(digits)}, but a 32-bit integer must be from ${minInt} to ${maxInt}.`,
    );
  }
  // Minus zero becomes zero.
  return value + 0;
}

/** Parses text that must not be blank; ignores surrounding white space. */
export function parseText(text: string): string {
  const content = trimXml(text);
  if (content === '') throw new ValueError('is empty.');
  return content;
}
