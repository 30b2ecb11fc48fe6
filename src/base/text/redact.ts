/**
 * Removes keys from texts that others may read: addresses of pupils and accounts (`/s/~…`), keys of
 * accounts, and keys of teachers.
 */

declare const shown: unique symbol;

/** A text without keys. Functions that show a target or a header to others accept no other text. */
export type Shown = string & { readonly [shown]: true };

/** Replaces a value of which nothing is shown. */
export const removed = '(removed)' as Shown;

/** Fast check: no other text has a key. */
const mayHaveKey = /[~%]|p[st]k_|L3Mvf|9zL3|vcy9/;
const mayHaveKeyHeader = /[~%]|p[st]k_|L3Mvf|9zL3|vcy9|x-(?:service|teacher)-key/i;

/**
 * The beginning of each key, which remains, and the rest. The last ones are base64 of `/s/~` at each
 * offset, such as in the `iss` of a token.
 */
const keys =
  /(\/[sS]\/~)[^\s/?#"'<>&;,)\\]+|(~)[\w-]{22}(?![\w-])|(p[st]k_)[\w-]{20,}|(L3Mvf[g-v]|9zL3[4-7]|vcy9[-+])[\w+/-]{27,}/g;

/**
 * Replaces keys by `…`, also percent-encoded and repeatedly encoded ones. All other characters
 * remain. Linear in the length of the text.
 */
export function redact(text: string): Shown {
  if (!mayHaveKey.test(text)) return text as Shown;
  const { decoded, starts } = text.includes('%') ? decodeAll(text) : { decoded: text };
  let result = '';
  let place = 0;
  for (const match of decoded.matchAll(keys)) {
    const beginning = match.slice(1).find((each) => each !== undefined) ?? '';
    const start = match.index + beginning.length;
    const end = match.index + match[0].length;
    result += `${text.slice(place, starts?.[start] ?? start)}…`;
    place = starts?.[end] ?? end;
  }
  return (result + text.slice(place)) as Shown;
}

const keyHeader = /^x-(?:service|teacher)-key$/i;

/** Redacts names and values that follow each other, as in `rawHeaders`. */
export function redactFields(fields: readonly string[]): readonly Shown[] {
  if (!mayHaveKeyHeader.test(fields.join('\n'))) return fields as readonly Shown[];
  return fields.map((text, index) => {
    const isKey = index % 2 === 1 && keyHeader.test(fields[index - 1] ?? '');
    return isKey ? removed : redact(text);
  });
}

const percent = 0x25;

/**
 * Decodes ASCII until no escape is left, so that `%252F` and `%25%32%46` become a slash. Returns
 * where each character began.
 */
function decodeAll(text: string): { readonly decoded: string; readonly starts: Uint32Array } {
  const characters = new Uint16Array(text.length);
  const starts = new Uint32Array(text.length + 1);
  let size = 0;
  for (let index = 0; index < text.length; index++) {
    characters[size] = text.charCodeAt(index);
    starts[size] = index;
    size += 1;
    // A decoded character may complete an escape.
    while (size >= 3 && characters[size - 3] === percent) {
      const high = hexValue(characters[size - 2] ?? 0);
      const low = hexValue(characters[size - 1] ?? 0);
      if (high > 7 || low > 15) break;
      size -= 2;
      characters[size - 1] = high * 16 + low;
    }
  }
  starts[size] = text.length;
  return { decoded: textOf(characters.subarray(0, size)), starts };
}

/** Returns 16 for a character that is no hex digit. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 16;
}

const charactersAtOnce = 4096;

function textOf(characters: Uint16Array): string {
  let text = '';
  for (let start = 0; start < characters.length; start += charactersAtOnce) {
    text += String.fromCharCode(...characters.subarray(start, start + charactersAtOnce));
  }
  return text;
}
