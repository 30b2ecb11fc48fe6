import { expect, test } from 'vitest';
import { meaningOf } from './status-meanings.js';

test.each([
  [404, 'Not Found', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5'],
  [429, 'Too Many Requests', 'https://www.rfc-editor.org/rfc/rfc6585#section-4'],
  [306, 'Unused', 'https://www.rfc-editor.org/rfc/rfc9110#section-15.4.7'],
  [599, 'Unassigned', 'https://www.rfc-editor.org/rfc/rfc9110#section-15'],
])('%i is %s', (status, reason, specification) => {
  expect(meaningOf(status)).toMatchObject({ reason, specification });
});
