import { trimEndOf } from './trim-characters.js';

/** Returns whether a double represents a JSON number exactly. */
export function isExactNumber(token: string): boolean {
  return decimal(token) === decimal(String(Number(token)));
}

/** Returns the digits without surrounding zeros, and their power of ten. */
function decimal(token: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = trimEndOf(digits, '0');
  if (significant === '') return whole === '' ? 'none' : '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}
