/** A filter's value, read from the text of a query parameter by the kind of the field it is for. */

import { readTimestamp, timestampForm } from './read-timestamp.js';
import type { FieldKind } from './record-fields.js';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** By its digits, since a fraction that is too fine for a double reads as a whole number. */
const whole = /^[+-]?\d+(?:\.0*)?(?:e\+?\d+)?$/i;

/** What a parameter for a field of that kind takes, to be read after "takes". */
export const valueForms: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  texts: 'text',
  'whole number': 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  timestamp: timestampForm,
};

/** `undefined` when the text is no value of that kind. Texts come out in lower case. */
export function readValue(kind: FieldKind, text: string): string | number | boolean | undefined {
  switch (kind) {
    case 'text':
    case 'texts':
      return text.toLowerCase();
    case 'whole number':
      return whole.test(text) ? readNumber(text) : undefined;
    case 'number':
      return readNumber(text);
    case 'boolean': {
      const word = text.toLowerCase();
      return word === 'true' ? true : word === 'false' ? false : undefined;
    }
    case 'timestamp':
      return readTimestamp(text);
  }
}

function readNumber(text: string): number | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
