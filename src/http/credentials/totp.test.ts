import { expect, test } from 'vitest';
import { totpAt, totpStep } from './totp.js';

/** The secret of RFC 6238 appendix B in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code ends as in RFC 6238 appendix B', (seconds, code) => {
  expect(totpAt(secret, seconds * 1000)).toBe(code);
  expect(totpStep(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test.each([
  ['of the step before', 30_000, true],
  ['of the step after', -30_000, true],
  ['of two steps before', 60_000, false],
])('a code %s', (_name, laterMs, isTaken) => {
  const nowMs = 1_700_000_010_000;
  const code = totpAt(secret, nowMs);
  expect(totpStep(secret, code, nowMs + laterMs) !== undefined).toBe(isTaken);
});
