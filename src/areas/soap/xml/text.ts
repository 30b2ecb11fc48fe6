/** Text in XML 1.0, and in messages about it. */

import { cutText } from '../../../base/text/cut-text.js';

/** Thrown for a body that is no XML, or none that is accepted. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold
const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const everySpecial = new RegExp(special, 'gu');

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // As itself it would be read as a line feed.
  '\r': '&#13;',
};

/** Writes text between tags or in double quotes; what XML cannot hold at all becomes a replacement character. */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(everySpecial, (character) => references[character] ?? '\ufffd');
}

/** Returns text without the white space of XML (section 2.3) around it. */
export function trimXml(text: string): string {
  let start = 0;
  let end = text.length;
  // Not a regular expression: those take quadratic time over a long run of spaces.
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** Returns the beginning of what a caller sent, for a message. */
export function cut(text: string): string {
  return cutText(text, 60);
}

/** Quotes what a caller sent, on one line. */
export function quote(text: string): string {
  return `'${cut(text).replace(/\s+/g, ' ')}'`;
}
