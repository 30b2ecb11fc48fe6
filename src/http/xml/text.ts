/** Writes and quotes text of XML 1.0. */

import { cutText } from '#base/text/cut-text.js';

/** Thrown if a body is not XML, or not accepted. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot contain these
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const everySpecial = new RegExp(special, 'gu');

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A plain carriage return would be parsed as a line feed.
  '\r': '&#13;',
};

/** Writes text between tags or in double quotes; replaces characters that XML cannot contain. */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(everySpecial, (character) => references[character] ?? '\ufffd');
}

/** Returns text without surrounding XML white space (section 2.3). */
export function trimXml(text: string): string {
  let start = 0;
  let end = text.length;
  // A regular expression would need quadratic time for a long run of spaces.
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** Returns the beginning of a caller's text, for a message. */
export function cut(text: string): string {
  return cutText(text, 60);
}

/** Quotes a caller's text on one line. */
export function quote(text: string): string {
  return `'${cut(text).replace(/\s+/g, ' ')}'`;
}
