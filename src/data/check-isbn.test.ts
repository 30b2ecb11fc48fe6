import { expect, test } from 'vitest';
import { isbnFault, toIsbn13, writtenIsbnFault } from './check-isbn.js';

test.each([
  ['9780547928227', undefined],
  ['9780306406157', undefined],
  ['9791090636071', undefined],
  ['9780306406158', 'has the wrong check digit; it must end in 7'],
  ['978-0-306-40615-7', expect.stringContaining('13 digits without hyphens')],
  ['0306406152', expect.stringContaining('13 digits')],
  ['9771234567898', expect.stringContaining('978 or 979')],
  ['', expect.stringContaining('13 digits')],
  ['x9780306406157', expect.stringContaining('13 digits')],
  ['97803064061577', expect.stringContaining('13 digits')],
])('the fault of %j is %j', (isbn, expected) => {
  expect(isbnFault(isbn)).toEqual(expected);
});

test.each([
  ['9780306406157', '9780306406157'],
  ['978-0-306-40615-7', '9780306406157'],
  ['978 0 306 40615 7', '9780306406157'],
  ['0-306-40615-2', '9780306406157'],
  ['080442957X', '9780804429573'],
  ['080442957x', '9780804429573'],
  ['0-306-40615-3', '0306406153'],
  ['12', '12'],
  ['x0306406152', 'X0306406152'],
  ['03064061522', '03064061522'],
  ['0000000000', '9780000000002'],
  ['x', 'X'],
])('%s as an ISBN-13 is %s', (text, expected) => {
  expect(toIsbn13(text)).toBe(expected);
});

test.each([
  ['9780306406157', undefined],
  ['978-0-306-40615-7', undefined],
  ['0-306-40615-2', undefined],
  ['080442957x', undefined],
  ['0-306-40615-3', 'has the wrong check digit; it must end in 2'],
  ['0804429578', 'has the wrong check digit; it must end in X'],
  ['000000000X', 'has the wrong check digit; it must end in 0'],
  ['978-0-306-40615-8', 'has the wrong check digit; it must end in 7'],
  ['030640615', expect.stringContaining('13 digits')],
  ['X306406152', expect.stringContaining('13 digits')],
])('the fault of %j, written by hand, is %j', (text, expected) => {
  expect(writtenIsbnFault(text)).toEqual(expected);
});
