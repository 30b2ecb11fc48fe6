/** The values of `format` that are checked. */

import { requireLazily } from '../base/require-lazily.js';

const formats = requireLazily<typeof import('ajv-formats/dist/formats.js')>(
  'ajv-formats/dist/formats.js',
);

/** No text of one of these formats is longer. Others may have any length, and are read once. */
const maxLength = 1000;
const longFormats = ['uri', 'uri-reference', 'json-pointer'] as const;

const shortFormats = [
  ...(['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'] as const),
  'uuid' as const,
];

export type FormatName = (typeof longFormats)[number] | (typeof shortFormats)[number];

export const knownFormats: readonly string[] = [
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'uuid', 'json-pointer'],
];

export function hasFormat(text: string, format: string): boolean {
  const isLong = (longFormats as readonly string[]).includes(format);
  if (!isLong && text.length > maxLength) return false;
  const known = formats().fullFormats[format as FormatName] as Format;
  if (known instanceof RegExp) return known.test(text);
  return typeof known === 'function' ? known(text) : known.validate(text);
}

type Format =
  | RegExp
  | ((text: string) => boolean)
  | { readonly validate: (text: string) => boolean };
