/** What came, for the end of an error message: `limit must be an integer from 1 to 100; got "abc".` */

/** Longer texts are shortened: a message is to be read, and a body may be a mebibyte. */
const maxQuotedCharacters = 40;

/** In the name of whatever may hold a secret, which no message repeats. */
const secretWords =
  /pass(?:word|phrase|code)|secret|token|key|authorization|credential|cookie|assertion|verifier|signature|\bpin\b|\botp\b/i;

/** Characters that no one sees, or that turn round the text after them; JSON escapes only some of them. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * To be put before the full stop of a message about the field or parameter `name`: `; got "abc"`, `; got 12` or
 * `; got an object`. Empty where the name is one of secrets, or nothing was sent.
 */
export function gotValue(name: string, value: unknown): string {
  if (value === undefined || secretWords.test(name)) return '';
  return `; got ${describeValue(value)}`;
}

/** The same for a parameter of a query, which comes as text, or as a list of texts when it is repeated. */
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
  // Twice as many code units hold them in any case, and what follows need not be looked at.
  const characters = [...text.slice(0, 2 * (maxQuotedCharacters + 1))];
  const isLong = characters.length > maxQuotedCharacters;
  const shown = isLong ? `${characters.slice(0, maxQuotedCharacters).join('')}…` : text;
  return JSON.stringify(shown).replace(invisible, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
