import { expect, test } from 'vitest';
import { ada, alan } from '#http/credentials/practice-users.js';
import { totpAt } from '#http/credentials/totp.js';
import { type Attempts, codeByTime, countAttempt, recoveryCode } from './login-attempts.js';

/** Returns the results of attempts at these times, in seconds; `!` marks a correct attempt. */
function verdicts(...tries: readonly string[]): string[] {
  let current: Attempts | undefined;
  let expiresAtMs = Number.POSITIVE_INFINITY;
  return tries.map((text) => {
    const nowMs = Number.parseInt(text, 10) * 1000;
    if (nowMs >= expiresAtMs) current = undefined;
    const change = countAttempt(current, text.endsWith('!'), nowMs);
    current = change.value;
    expiresAtMs = change.expiresAtMs ?? Number.POSITIVE_INFINITY;
    const { result } = change;
    return result.kind === 'wait' ? `wait ${result.seconds}` : result.kind;
  });
}

const wrong = (times: number) => Array<string>(times).fill('wrong');

test.each<[name: string, tries: readonly string[], expected: readonly string[]]>([
  ['a correct attempt', ['0!'], ['right']],
  ['the fifth wrong attempt is the last', [...'00000', '0'], [...wrong(5), 'wait 60']],
  ['a correct attempt waits as well', [...'00000', '10!'], [...wrong(5), 'wait 50']],
  ['a minute later it is accepted', [...'00000', '59!', '60!'], [...wrong(5), 'wait 1', 'right']],
  ['then five more may be wrong', [...'00000', '60', '60'], [...wrong(5), 'wrong', 'wrong']],
  [
    'a correct attempt resets the count',
    [...'0000', '0!', ...'0000'],
    [...wrong(4), 'right', ...wrong(4)],
  ],
  [
    'a quarter of an hour resets the count',
    [...'0000', '900', '900'],
    [...wrong(4), 'wrong', 'wrong'],
  ],
])('%s', (_name, tries, expected) => {
  expect(verdicts(...tries)).toEqual(expected);
});

test('setting the clock back does not prolong the wait', () => {
  const current = { wrong: 5, waitsUntilMs: 1_000_000_000 };
  expect(countAttempt(current, true, 0).result).toEqual({ kind: 'right' });
});

const nowMs = 1_700_000_010_000;
const step = Math.floor(nowMs / 30_000);
const code = totpAt(alan.totpSecret ?? '', nowMs);

test.each([
  ['is accepted', alan, code, undefined, true],
  ['is accepted with spaces', alan, `${code.slice(0, 3)} ${code.slice(3)}`, undefined, true],
  ['is accepted after an older code', alan, code, step - 1, true],
  ['is rejected the second time', alan, code, step, false],
  ['is rejected after a later code', alan, code, step + 1, false],
  ['that is wrong is rejected', alan, '000000', undefined, false],
  ['is rejected for a user without a secret', ada, code, undefined, false],
])('a code %s', (_name, user, sent, last, isTaken) => {
  expect(codeByTime.take(user, sent, last, nowMs).result).toBe(isTaken);
});

test('each recovery code works once', () => {
  const { take } = recoveryCode;
  const [first = '', second = ''] = alan.recoveryCodes ?? [];
  const once = take(alan, first, undefined, nowMs);
  expect(once).toEqual({ value: [0], result: true });
  expect(take(alan, first, once.value, nowMs).result).toBe(false);
  expect(take(alan, ` ${second.toUpperCase()}`, once.value, nowMs).value).toEqual([0, 1]);
  expect(take(ada, first, undefined, nowMs).result).toBe(false);
});
