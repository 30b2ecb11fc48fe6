/** Whether numbers survive being parsed. */

import { trimEndOf } from './trim-characters.js';

/** Whether a double holds what is written: a number as JSON has them, RFC 8259 section 6. */
export function isExactNumber(token: string): boolean {
  return decimal(token) === decimal(String(Number(token)));
}

/** The digits without zeros around them, and the power of ten that they are multiplied by. */
function decimal(token: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = trimEndOf(digits, '0');
  if (significant === '') return whole === '' ? 'none' : '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}
