/** Formats that `format` checks. */

import { requireLazily } from '#base/require-lazily.js';

const formats = requireLazily<typeof import('ajv-formats/dist/formats.js')>(
  'ajv-formats/dist/formats.js',
);

const maxLength = 1000;
const longFormats: readonly string[] = ['uri', 'uri-reference', 'json-pointer'];

export const knownFormats: readonly string[] = [
  ...['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'uuid', 'json-pointer'],
];

type Format =
  | RegExp
  | ((text: string) => boolean)
  | { readonly validate: (text: string) => boolean };

/** Returns whether a text has a format. Unknown formats only annotate. */
export function hasFormat(text: string, format: string): boolean {
  if (!knownFormats.includes(format)) return true;
  if (text.length > maxLength && !longFormats.includes(format)) return false;
  const { fullFormats } = formats() as { readonly fullFormats: Readonly<Record<string, unknown>> };
  const known = fullFormats[format] as Format;
  if (known instanceof RegExp) return known.test(text);
  return typeof known === 'function' ? known(text) : known.validate(text);
}
