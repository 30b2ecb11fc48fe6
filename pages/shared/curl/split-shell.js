/** Splits commands into words like a POSIX shell (Shell Command Language, section 2.2). */

/**
 * A piece of a word: text, or a parameter such as `$1` or `${2:-x}`. Parts that only a shell can
 * evaluate, such as `$(date)`,
 * are `unknown`, with everything after them.
 *
 * @typedef {{ readonly text: string }
 * | { readonly name: string, readonly fallback?: string, readonly isQuoted: boolean }
 * | { readonly unknown: true }} Piece
 */
/** @typedef {{ readonly pieces: Piece[] }} Word */
/** @typedef {Word | { readonly operator: string }} Token */
/** @typedef {readonly [form: RegExp, read: (found: string[]) => Piece[]]} Form */

const operators = /^(?:&&|\|\||\d?(?:>>|<<|[<>]&|[<>])|[;|&\n()])/;
const escapes = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'" };

const textOf = (text = '') => [{ text }];

/** @type {readonly Form[]} */
const quotes = [
  [/^'([^']*)'/, ([, inner]) => textOf(inner)],
  [/^\\(.?)/s, ([, character]) => textOf(character)],
];

/** @type {(isQuoted: boolean) => readonly Form[]} */
const parameters = (isQuoted) => [
  [
    /^\$(?:(\w+|[@#?*])|\{(\w+|@)(?::-([^}$`]*))?\})/,
    ([, plain, braced = '', fallback]) => [
      { name: plain ?? braced, isQuoted, ...(fallback !== undefined && { fallback }) },
    ],
  ],
  // A dollar without a name is a plain dollar.
  [/^\$(?=[\s"]|$)/, ([dollar]) => textOf(dollar)],
];

/** @type {readonly Form[]} */
const inQuotes = [
  ...parameters(true),
  [/^\\([$`"\\])/, ([, character]) => textOf(character)],
  [/^(?:\\|[^$`\\]+)/, ([plain]) => textOf(plain)],
];

/** @type {readonly Form[]} */
const inCommands = [
  [
    /^\$'((?:[^'\\]|\\[ntr\\'])*)'/,
    ([, inner = '']) =>
      textOf(inner.replaceAll(/\\(.)/g, (_, letter) => escapes[/** @type {'n'} */ (letter)])),
  ],
  [/^"((?:[^"\\`]|\\.)*)"/s, ([, inner = '']) => [...textOf(), ...readPieces(inner, inQuotes)]],
  ...quotes,
  ...parameters(false),
  [/^[^\s'"\\$`;|&()<>]+/, ([plain]) => textOf(plain)],
];

/** @type {readonly Form[]} */
const inTypedText = [
  [/^"((?:[^"\\]|\\.)*)"/s, ([, inner = '']) => textOf(inner.replaceAll(/\\(["\\$`])/g, '$1'))],
  ...quotes,
  // An unclosed quote is removed.
  [/^['"]/, () => textOf()],
  [/^[^\s'"\\]+/, ([plain]) => textOf(plain)],
];

/**
 * Splits the text of a script into words and operators.
 *
 * @param {string} text
 * @returns {Token[]}
 */
export function splitShell(text) {
  return split(text, inCommands, operators, /^(?:[ \t]+|#[^\n]*)/);
}

/**
 * Splits one command into words. Variables and operators stay text, because people type URLs without quotes.
 *
 * @param {string} command
 * @returns {string[]}
 */
export function splitWords(command) {
  return split(command, inTypedText, /^(?!)/, /^\s+/).map((token) =>
    ('pieces' in token ? token.pieces : []).map((piece) => 'text' in piece && piece.text).join(''),
  );
}

/**
 * @param {string} text
 * @param {readonly Form[]} forms
 * @param {RegExp} operator
 * @param {RegExp} blank
 * @returns {Token[]}
 */
function split(text, forms, operator, blank) {
  /** @type {Token[]} */
  const tokens = [];
  /** @type {Piece[] | undefined} */
  let word;
  let rest = text.replaceAll(/\\\r?\n/g, '');
  while (rest !== '') {
    const [sign] = operator.exec(rest) ?? [];
    // A hash begins a comment, but not within a word.
    const [gap] = (word !== undefined && rest.startsWith('#') ? null : blank.exec(rest)) ?? [];
    if (sign === undefined && gap === undefined) {
      const { pieces, length } = readPiece(rest, forms);
      if (word === undefined) {
        word = [];
        tokens.push({ pieces: word });
      }
      word.push(...pieces);
      rest = rest.slice(length);
      continue;
    }
    word = undefined;
    if (sign !== undefined) tokens.push({ operator: sign });
    rest = rest.slice((sign ?? gap ?? '').length);
  }
  return tokens;
}

/**
 * @param {string} rest
 * @param {readonly Form[]} forms
 * @returns {{ pieces: Piece[], length: number }}
 */
function readPiece(rest, forms) {
  for (const [form, read] of forms) {
    const found = form.exec(rest);
    if (found === null) continue;
    const pieces = read(found);
    if (pieces.some((piece) => 'unknown' in piece)) break;
    return { pieces, length: found[0].length };
  }
  return { pieces: [{ unknown: true }], length: rest.length };
}

/**
 * @param {string} text
 * @param {readonly Form[]} forms
 * @returns {Piece[]}
 */
function readPieces(text, forms) {
  const pieces = [];
  let rest = text;
  while (rest !== '') {
    const next = readPiece(rest, forms);
    pieces.push(...next.pieces);
    rest = rest.slice(next.length);
  }
  return pieces;
}
