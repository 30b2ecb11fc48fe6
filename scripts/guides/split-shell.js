/** Splits the text of a shell into words and operators, as far as examples of the guides need it. */

/**
 * A piece of a word: text as it stands, or a parameter such as `$1` or `${2:-x}`. What only a shell can work
 * out, such as `$(date)`, is `unknown`.
 *
 * @typedef {{ readonly text: string }
 *   | { readonly name: string, readonly fallback?: string, readonly isQuoted: boolean }
 *   | { readonly unknown: true }} Piece
 */
/** @typedef {{ readonly pieces: Piece[] }} Word */
/** @typedef {Word | { readonly operator: string }} Token */

const operators = ['&&', '||', '>>', '<<', ';', '|', '&', '\n', '(', ')', '<', '>'];
const escapes = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'" };
const parameter = /^\$(?:(\w+|[@#?*])|\{(\w+|@)(?::-([^}$`]*))?\})/;

/**
 * @param {string} text
 * @returns {Token[]}
 */
export function splitShell(text) {
  /** @type {Token[]} */
  const tokens = [];
  /** @type {Piece[] | undefined} */
  let word;
  let rest = text.replaceAll('\\\n', '');
  const endWord = () => {
    if (word !== undefined) tokens.push({ pieces: word });
    word = undefined;
  };
  while (rest !== '') {
    const operator = operators.find((each) => rest.startsWith(each));
    const [, blank = ''] =
      /^([ \t]+|#[^\n]*)/.exec(word === undefined ? rest : rest.replace(/^#/, '')) ?? [];
    if (blank !== '') {
      endWord();
      rest = rest.slice(blank.length);
    } else if (operator !== undefined) {
      endWord();
      tokens.push({ operator });
      rest = rest.slice(operator.length);
    } else {
      const { pieces, length } = readPiece(rest);
      word = [...(word ?? []), ...pieces];
      rest = rest.slice(length);
    }
  }
  endWord();
  return tokens;
}

/**
 * @param {string} rest
 * @returns {{ pieces: Piece[], length: number }}
 */
function readPiece(rest) {
  if (rest.startsWith("$'")) return readEscaped(rest);
  if (rest.startsWith("'")) {
    const end = rest.indexOf("'", 1);
    return end < 0
      ? unknownRest(rest)
      : { pieces: [{ text: rest.slice(1, end) }], length: end + 1 };
  }
  if (rest.startsWith('"')) return readQuoted(rest);
  if (rest.startsWith('\\')) return { pieces: [{ text: rest.charAt(1) }], length: 2 };
  const found = readParameter(rest, false);
  if (found !== undefined) return found;
  const [plain = ''] = /^[^\s'"\\$`;|&()<>]+/.exec(rest) ?? [];
  return plain === '' ? unknownRest(rest) : { pieces: [{ text: plain }], length: plain.length };
}

/** @param {string} rest */
function readQuoted(rest) {
  /** @type {Piece[]} */
  const pieces = [{ text: '' }];
  let at = 1;
  while (rest[at] !== '"') {
    const here = rest.slice(at);
    if (here === '' || here.startsWith('`')) return unknownRest(rest);
    const found = readParameter(here, true);
    const [, escaped] = /^\\([$`"\\])/.exec(here) ?? [];
    if (found !== undefined) {
      if (found.pieces.some((piece) => 'unknown' in piece)) return unknownRest(rest);
      pieces.push(...found.pieces);
      at += found.length;
    } else {
      pieces.push({ text: escaped ?? here.charAt(0) });
      at += escaped === undefined ? 1 : 2;
    }
  }
  return { pieces, length: at + 1 };
}

/** @param {string} rest */
function readEscaped(rest) {
  const [all, inner = ''] = /^\$'((?:[^'\\]|\\.)*)'/s.exec(rest) ?? [];
  const isKnown = !/\\[^ntr\\']/.test(inner);
  if (all === undefined || !isKnown) return unknownRest(rest);
  const text = inner.replaceAll(/\\(.)/gs, (_, letter) => escapes[/** @type {'n'} */ (letter)]);
  return { pieces: [{ text }], length: all.length };
}

/**
 * @param {string} rest
 * @param {boolean} isQuoted
 * @returns {{ pieces: Piece[], length: number } | undefined}
 */
function readParameter(rest, isQuoted) {
  if (!rest.startsWith('$')) return undefined;
  const [all, plain, braced, fallback] = parameter.exec(rest) ?? [];
  const name = plain ?? braced;
  if (all === undefined || name === undefined) {
    // A dollar before nothing that has a name is a dollar.
    if (/^\$(?:[\s"]|$)/.test(rest)) return { pieces: [{ text: '$' }], length: 1 };
    return unknownRest(rest);
  }
  const piece = { name, isQuoted, ...(fallback !== undefined && { fallback }) };
  return { pieces: [piece], length: all.length };
}

/**
 * Nothing after it is understood.
 *
 * @param {string} rest
 * @returns {{ pieces: Piece[], length: number }}
 */
function unknownRest(rest) {
  return { pieces: [{ unknown: true }], length: rest.length };
}
