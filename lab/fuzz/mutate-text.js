/** Makes small changes to texts, which confuse many parsers. */

/** @typedef {import('./random-source.js').Random} Random */

/** Characters and words with a special meaning in some format, or in none. */
const pieces = [
  ...'"\'\\,=;: \t\n%+./-_&?#<>{}[]()$@!\0\x1b\x7f\xff٣',
  ...['\r\n', '%00', '%zz', '%c3%28', '..', '<!--', ']]>', '&#0;', '&amp;', '*/*'],
  ...['\xc3\x28', '\xed\xa0\x80', '\xef\xbb\xbf', '\xf0\x9f\x98\x80', 'a'.repeat(300)],
  ...['null', 'true', 'NaN', '-0', '1e999', '-1', '2147483648', '9007199254740993', '0x10'],
  ...['__proto__', 'constructor', 'toString'],
];

/**
 * Changes a text one to four times: drops, doubles, swaps, replaces or inserts something.
 *
 * @param {Random} random
 * @param {string} text
 */
export function mutateText(random, text) {
  let changed = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(changed.length + 1);
    const length = random.below(random.chance(20) ? 40 : 4);
    const before = changed.slice(0, at);
    const part = changed.slice(at, at + length);
    const after = changed.slice(at + length);
    switch (random.below(6)) {
      case 0:
        changed = before + after;
        break;
      case 1:
        changed = before + part + part + after;
        break;
      case 2:
        changed = before + random.pick(pieces) + after;
        break;
      case 3:
        changed = before + random.pick(pieces) + part + after;
        break;
      case 4:
        changed = before + String.fromCharCode(random.below(256)) + after;
        break;
      default:
        changed = before + [...part].reverse().join('') + after;
    }
  }
  return changed;
}

/**
 * Removes characters that end a header or are rejected before any area.
 *
 * @param {string} text
 */
export function inHeader(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/g, '~').slice(0, 4000);
}

/**
 * Writes a value of a path or query, percent-encoded or, one time in four, almost unchanged.
 *
 * @param {Random} random
 * @param {string} text
 */
export function inTarget(random, text) {
  if (random.chance(75)) return inQuery(text);
  return text.replace(/[^\x21-\x7e]|#/g, '~').slice(0, 2000);
}

/**
 * Percent-encodes a text; unpaired surrogates become the replacement character.
 *
 * @param {string} text
 */
export function inQuery(text) {
  return encodeURIComponent(Buffer.from(text).toString());
}

/**
 * Changes whole tokens of a text, one to four times.
 *
 * @param {Random} random
 * @param {readonly string[]} tokens The text in pieces
 * @param {readonly string[]} odd Tokens that may be put in
 * @param {string} [separator]
 */
export function mutateTokens(random, tokens, odd, separator = '') {
  const changed = [...tokens];
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(changed.length);
    const other = random.below(changed.length);
    switch (random.below(5)) {
      case 0:
        changed.splice(at, 1);
        break;
      case 1:
        changed.splice(at, 0, changed[at] ?? '');
        break;
      case 2:
        [changed[at], changed[other]] = [changed[other] ?? '', changed[at] ?? ''];
        break;
      case 3:
        changed[at] = random.pick(odd);
        break;
      default:
        changed.splice(at, 0, random.pick(odd));
    }
  }
  return changed.join(separator);
}

const longText = 'x'.repeat(3000);

/**
 * Returns a JSON value that is rarely right.
 *
 * @param {Random} random
 * @returns {unknown}
 */
export function oddValue(random) {
  return random.pick([
    () => null,
    () => random.chance(50),
    () => random.pick([0, -1, 0.1, 1.5, -0, 1e308, 2 ** 31, 2 ** 53 + 2, -(2 ** 63)]),
    () => random.pick(['', ' ', '1', '-1', '1e3', 'NaN', '\0', '\ud800', '💥', '\u202e', '../..']),
    () => random.pick(['%', '__proto__', longText]),
    () => mutateText(random, random.pick(['2030-01-01T00:00:00Z', 'https://a/b', '100', 'name'])),
    () => [],
    () => [oddValue(random), oddValue(random)],
    () => ({}),
    () => ({ [random.pick(['a', '__proto__', 'constructor', ''])]: oddValue(random) }),
  ])();
}

/**
 * Cuts bytes into pieces, at least one.
 *
 * @param {Random} random
 * @param {string} bytes
 * @param {number} most How many pieces at most
 */
export function cutAnywhere(random, bytes, most) {
  const places = Array.from({ length: random.below(most) }, () => random.below(bytes.length));
  const cuts = [0, ...places.sort((a, b) => a - b), bytes.length];
  const pieces = cuts.slice(1).map((end, index) => bytes.slice(cuts[index], end));
  return pieces.filter((piece) => piece !== '');
}
