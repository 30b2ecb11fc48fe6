/**
 * What stored texts may hold. Every list shows them, so a character that costs six bytes in JSON, that
 * ends a line or that turns round the text after it would be everybody's. Forbidden are: the control
 * characters (C0, DEL, C1), the line and paragraph separators, those that embed, override or isolate a
 * direction of writing, and halves of surrogate pairs. Allowed stay the direction marks and joiners
 * that Arabic, Hebrew, Indic scripts and emoji are written with.
 */

const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff';

/** A pattern with this source asks for a text without control characters, which may be empty. */
export const plainTextPattern = `^[^${controls}]*$`;

/** The same, for a text that is more than white space. It takes linear time on any text. */
export const notBlankPattern = `^[^\\S${controls}]*[^\\s${controls}][^${controls}]*$`;

// Without the flag, halves of surrogate pairs would be found in whole ones.
const control = new RegExp(`[${controls}]`, 'u');

/**
 * What is wrong with a text that holds a control character, to be read after the name of a field;
 * `undefined` for a text that holds none.
 */
export function controlCharacterFault(text: string): string | undefined {
  const found = control.exec(text);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const place = [...text.slice(0, found.index)].length + 1;
  return `must hold no control characters, but U+${code} is its character ${place}`;
}
