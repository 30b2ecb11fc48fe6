/**
 * Writes the received value for the end of an error message: `limit must be an integer from 1 to
 * 100; got "abc".`
 */

/** Longer texts are shortened. */
const maxQuotedCharacters = 40;

/** Words in the names of secrets, whose values no message repeats. */
const secretWords =
  /pass(?:word|phrase|code)|secret|token|key|authorization|credential|cookie|assertion|verifier|signature|\bpin\b|\botp\b/i;

/**
 * Invisible characters and characters that change the text direction; JSON escapes only some of
 * them.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns the end of a message about a field: `; got "abc"`, `; got 12`, `; got an object`; nothing for secrets. */
export function gotValue(name: string, value: unknown): string {
  if (value === undefined || secretWords.test(name)) return '';
  return `; got ${describeValue(value)}`;
}

/** Does the same for a query parameter: a text, or a list of texts when it is repeated. */
export function gotParameter(name: string, value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.length === 1 ? gotText(name, value[0]) : gotTimes(value);
  return gotText(name, value);
}

function gotText(name: string, value: unknown): string {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return gotValue(name, isScalar ? String(value) : value);
}

function gotTimes({ length }: readonly unknown[]): string {
  return `; got ${length} values`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function quote(text: string): string {
  // Each character has at most two code units.
  const characters = [...text.slice(0, 2 * (maxQuotedCharacters + 1))];
  const isLong = characters.length > maxQuotedCharacters;
  const shown = isLong ? `${characters.slice(0, maxQuotedCharacters).join('')}…` : text;
  return JSON.stringify(shown).replace(invisible, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
