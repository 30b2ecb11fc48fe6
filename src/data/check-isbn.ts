/** Checks and parses book numbers: ISBN-13 and ISBN-10, ISO 2108. */

/** Describes the fault of an ISBN-13 without hyphens; `undefined` if it is valid. */
export function isbnFault(isbn: string): string | undefined {
  if (!/^97[89]\d{10}$/.test(isbn)) {
    return 'must be an ISBN-13: 13 digits without hyphens, beginning with 978 or 979';
  }
  const digit = checkDigit(isbn.slice(0, 12));
  return isbn.endsWith(digit) ? undefined : `has the wrong check digit; it must end in ${digit}`;
}

/**
 * Returns a written ISBN (with hyphens, spaces, or as an ISBN-10) as a bare ISBN-13. Returns an
 * invalid one without hyphens and spaces.
 */
export function toIsbn13(text: string): string {
  const bare = text.replace(/[\s-]/g, '').toUpperCase();
  if (!isbn10.test(bare) || !bare.endsWith(checkDigit10(bare.slice(0, 9)))) return bare;
  const digits = `978${bare.slice(0, 9)}`;
  return digits + checkDigit(digits);
}

/** Describes the fault of a written ISBN in either form; `undefined` if it is valid. */
export function writtenIsbnFault(text: string): string | undefined {
  const isbn = toIsbn13(text);
  if (!isbn10.test(isbn)) return isbnFault(isbn);
  return `has the wrong check digit; it must end in ${checkDigit10(isbn.slice(0, 9))}`;
}

const isbn10 = /^\d{9}[\dX]$/;

function checkDigit10(nine: string): string {
  const sum = [...nine].reduce((total, digit, index) => total + Number(digit) * (10 - index), 0);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? 'X' : String(digit);
}

function checkDigit(twelve: string): string {
  const sum = [...twelve].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1),
    0,
  );
  return String((10 - (sum % 10)) % 10);
}
