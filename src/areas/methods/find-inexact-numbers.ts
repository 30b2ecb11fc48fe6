/** Numbers that a JSON text holds and a double does not: RFC 8259 section 6. */

const maxWarnings = 20;

/** What could be inexact: sixteen digits, or an exponent. Most texts have neither and are not read. */
const suspicion = /[\d.]{16}|\d[eE]/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/**
 * A sentence for each number of a well-formed JSON text whose value changes by being parsed, up to
 * twenty, with the line and column for people to look at, both from 1.
 */
export function findInexactNumbers(text: string): string[] {
  if (!suspicion.test(text)) return [];
  const warnings: string[] = [];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith('"') || isExact(token)) continue;
    if (warnings.length === maxWarnings) {
      warnings.push('There are more such numbers.');
      break;
    }
    const before = text.slice(0, index);
    const line = before.split('\n').length;
    const column = index - before.lastIndexOf('\n');
    const shown = JSON.stringify(Number(token));
    warnings.push(
      `The number ${shorten(token)} at line ${line}, column ${column} is not one that programs hold exactly: json shows ${shown}, body what was sent.`,
    );
  }
  return warnings;
}

function isExact(token: string): boolean {
  return decimal(token) === decimal(String(Number(token)));
}

/** The digits without zeros around them, and the power of ten that they are multiplied by. */
function decimal(token: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? 'none' : '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}

function shorten(token: string): string {
  return token.length > 40 ? `${token.slice(0, 40)}…` : token;
}
