/** XML bodies as plain values, and back. */

import { escapeMarkup } from '#base/text/escape-markup.js';
import { HttpError } from '#http/http-error.js';
import { decodeXml } from '#http/xml/decode-xml.js';
import { parseXml, type XmlElement } from '#http/xml/parse-xml.js';
import { XmlError } from '#http/xml/text.js';

/** Texts, and members by the names of child elements; repeated children are a list. */
export type XmlValue = string | readonly XmlValue[] | { readonly [name: string]: XmlValue };

export function readXml(bytes: Buffer, contentType: string): XmlElement {
  const [, charset] = /;\s*charset="?([^";\s]+)/i.exec(contentType) ?? [];
  try {
    if (bytes.length === 0) throw new XmlError('The body is empty.');
    return parseXml(decodeXml(bytes, charset));
  } catch (error) {
    throw error instanceof XmlError ? new HttpError(400, error.message) : error;
  }
}

export function valueIn({ children, text }: XmlElement): XmlValue {
  if (children.length === 0) return text;
  const groups = new Map<string, XmlValue[]>();
  for (const child of children) {
    const group = groups.get(child.name) ?? [];
    group.push(valueIn(child));
    groups.set(child.name, group);
  }
  const entries = [...groups].map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  return Object.fromEntries(entries);
}

/**
 * Writes members as elements; lists are elements of the names of their items by `itemName`.
 * Each element inside begins with `line`, if it is a line break, and four spaces more than its parent.
 */
export function writeElement(
  name: string,
  value: unknown,
  itemName: (list: string) => string,
  line = '',
): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return `<${name}>${escapeMarkup(String(value))}</${name}>`;
  const next = line && `${line}    `;
  const parts = Array.isArray(value)
    ? value.map((each) => [itemName(name), each] as const)
    : Object.entries(value);
  const inside = parts.map(([inner, each]) => writeElement(inner, each, itemName, next));
  const shown = inside.filter(Boolean).map((each) => next + each);
  return `<${name}>${shown.join('')}${shown.length > 0 ? line : ''}</${name}>`;
}
