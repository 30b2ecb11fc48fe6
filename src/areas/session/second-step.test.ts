import { expect, test } from 'vitest';
import { ada, alan } from '../../http/credentials/practice-users.js';
import { totpAt } from '../../http/credentials/totp.js';
import { takeCode, takeRecoveryCode } from './second-step.js';

const nowMs = 1_700_000_010_000;
const step = Math.floor(nowMs / 30_000);
const code = totpAt(alan.totpSecret ?? '', nowMs);

test.each([
  ['is taken', alan, code, undefined, true],
  ['is taken with spaces', alan, `${code.slice(0, 3)} ${code.slice(3)}`, undefined, true],
  ['is taken after an older one', alan, code, step - 1, true],
  ['is rejected the second time', alan, code, step, false],
  ['is rejected after a later one', alan, code, step + 1, false],
  ['that is wrong is rejected', alan, '000000', undefined, false],
  ['is nothing to whoever has no secret', ada, code, undefined, false],
])('a code %s', (_name, user, sent, last, isTaken) => {
  expect(takeCode(user, sent, last, nowMs).result).toBe(isTaken);
});

test('each recovery code counts once', () => {
  const [first = '', second = ''] = alan.recoveryCodes ?? [];
  const once = takeRecoveryCode(alan, first);
  expect(once).toEqual({ value: [0], result: true });
  expect(takeRecoveryCode(alan, first, once.value).result).toBe(false);
  expect(takeRecoveryCode(alan, ` ${second.toUpperCase()}`, once.value).value).toEqual([0, 1]);
  expect(takeRecoveryCode(ada, first).result).toBe(false);
});
