/**
 * Patterns of stored texts. Forbidden are control characters (C0, DEL, C1), line and paragraph
 * separators, embeddings, overrides and isolates of a direction, and unpaired surrogates. Direction
 * marks and joiners are allowed, because some scripts and emoji need them.
 */

const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';

export const plainTextPattern = `^[^${controls}]*$`;

/** Also requires a character other than white space. Runs in linear time on any text. */
export const notBlankPattern = `^[^\\S${controls}]*[^\\s${controls}][^${controls}]*$`;

/** Excludes ASCII control characters. */
export const printablePattern = '^[^\\x00-\\x1f\\x7f]*$';

/** Padded base64 (RFC 4648 section 4). */
export const base64Pattern = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

// Without the flag, halves of surrogate pairs would match inside pairs.
const control = new RegExp(`[${controls}]`, 'u');

/** Describes the first control character of a text, to follow the name of a field. */
export function controlCharacterFault(text: string): string | undefined {
  const found = control.exec(text);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const place = [...text.slice(0, found.index)].length + 1;
  return `must hold no control characters, but U+${code} is its character ${place}`;
}
