/** For each case, what right, wrong and unclear clients do, and what the judge says. */

import { expect, test } from 'vitest';
import type { RuleOutcome } from '#kit/verdict/verdict.js';
import type { RunEvent } from './case.js';
import { type MisbehaviourName, misbehaviourNames, misbehaviours } from './misbehaviours.js';
import { judgeEvent, type StepRecord, stepVerdict } from './runs.js';

type Reported = StepRecord['reported'];
type Act = readonly [events: readonly RunEvent[], outcome: RuleOutcome, reported?: Reported];

const login: readonly RunEvent[] = ['discovered', 'started', 'responded', 'redeemed', 'granted'];
const until = (last: RunEvent) => login.slice(0, login.indexOf(last) + 1);

/** Acts of a client with a token that it must reject; `against` is the outcome if it accepts. */
const idToken = (against: RuleOutcome): readonly Act[] => [
  [login, 'kept'],
  // It reads userinfo while it validates, and then stops.
  [[...login, 'asked'], against === 'kept' ? 'kept' : 'unclear'],
  [[...login, 'asked'], 'kept', 'refused'],
  [[...login, 'asked'], against, 'accepted'],
  [[...login, 'asked', 'used'], against],
  [[...login, 'refreshed'], against],
];

const response = (against: RuleOutcome): readonly Act[] => [
  [until('responded'), 'kept'],
  [until('started'), 'not-reached'],
  [until('redeemed'), against],
  [until('redeemed'), against, 'refused'],
];

/** Valid behaviour. A client that needs only the login stops after it. */
const tolerated = (met: RunEvent, against: RuleOutcome): readonly Act[] => [
  [until(met), 'unclear'],
  [until(met), 'kept', 'accepted'],
  [until(met), against, 'refused'],
  [[...login, 'used'], 'kept'],
  [[...login, 'refreshed'], 'kept'],
];

const renewed: readonly Act[] = [
  [[...login, 'refreshed', 'renewed'], 'kept'],
  [[...login, 'refreshed', 'renewed', 'used'], 'kept'],
];

const acts: Readonly<Record<MisbehaviourName, readonly Act[]>> = {
  'wrong-iss': idToken('broken'),
  'neighbour-iss': idToken('broken'),
  'slash-iss': idToken('broken'),
  'wrong-aud': idToken('broken'),
  'extra-aud': idToken('broken'),
  'wrong-nonce': idToken('broken'),
  'missing-nonce': idToken('broken'),
  'wrong-at-hash': idToken('kept'),
  'expired-id-token': idToken('broken'),
  'issued-in-future': idToken('kept'),
  'alg-none': idToken('against-advice'),
  'hs256-public-key': idToken('against-advice'),
  'unknown-kid': idToken('kept'),
  'duplicate-kid': idToken('kept'),
  'missing-signature': idToken('kept'),
  'foreign-key': idToken('kept'),
  'pkce-unchecked': idToken('broken'),
  'userinfo-sub': [
    [[...login, 'asked'], 'kept'],
    [login, 'not-reached'],
    // It ignores userinfo, and uses its token.
    [[...login, 'asked', 'used'], 'unclear'],
    [[...login, 'asked', 'used'], 'kept', 'refused'],
    [[...login, 'asked', 'used'], 'broken', 'accepted'],
  ],
  'wrong-state': response('broken'),
  'wrong-response-iss': response('against-advice'),
  'neighbour-response-iss': response('against-advice'),
  'missing-response-iss': response('against-advice'),
  'repeated-response-iss': response('against-advice'),
  'redirect-near-miss': response('against-advice'),
  'foreign-code': [
    [until('responded'), 'kept'],
    [until('redeemed'), 'kept'],
    [[...login, 'asked'], 'unclear'],
    [[...login, 'used'], 'broken'],
  ],
  'refresh-not-rotated': [
    [[...login, 'refreshed'], 'kept'],
    [[...login, 'refreshed', 'refreshed'], 'kept'],
  ],
  'refresh-sub': renewed,
  'refresh-aud': renewed,
  'discovery-other-issuer': [
    [['discovered'], 'kept'],
    [[], 'not-reached'],
    [['discovered', 'started'], 'broken'],
    [['discovered', 'started'], 'broken', 'refused'],
  ],
  'html-errors': [
    [until('redeemed'), 'kept'],
    [until('responded'), 'not-reached'],
    [[...until('redeemed'), 'used'], 'broken'],
  ],
  failing: [
    [until('redeemed'), 'kept'],
    [until('responded'), 'not-reached'],
    [[...until('redeemed'), 'used'], 'against-advice'],
  ],
  slow: [
    [until('redeemed'), 'kept'],
    [[...login, 'used'], 'kept'],
  ],
  'unknown-members': tolerated('redeemed', 'broken'),
  'aud-array': tolerated('granted', 'broken'),
  'own-azp': tolerated('granted', 'broken'),
  'aud-array-own-azp': tolerated('granted', 'broken'),
  'fraction-times': tolerated('granted', 'broken'),
  'no-typ': tolerated('granted', 'broken'),
  'extra-keys': tolerated('granted', 'against-advice'),
  'token-type-case': tolerated('redeemed', 'broken'),
  'no-expires-in': tolerated('redeemed', 'broken'),
  'extra-parameters': [
    [until('responded'), 'unclear'],
    [until('responded'), 'broken', 'refused'],
    [until('redeemed'), 'kept'],
    [[...login, 'used'], 'kept'],
  ],
};

const rows = misbehaviourNames.flatMap((name) =>
  acts[name].map(([events, outcome, reported]) => ({ name, events, outcome, reported })),
);

test.each(rows)('$name after $events is $outcome, reported: $reported', (row) => {
  const { name, events, outcome, reported } = row;
  const start: StepRecord = reported === undefined ? {} : { reported };
  const record = events.reduce(
    (step, event, index) => judgeEvent(misbehaviours[name], step, event, `${index}`),
    start,
  );
  expect(stepVerdict(name, record)).toMatchObject({ rule: name, outcome });
});

/** Checks that no section leaves to the client, or that leave both ways open. */
const isFree = (name: MisbehaviourName) =>
  misbehaviours[name].optionalBecause !== undefined || misbehaviours[name].expected === 'either';

/** A judge that blames no client, or all, fails the rows of each case. */
test.each(misbehaviourNames)('the clients of %s tell a blind judge', (name) => {
  const outcomes = acts[name].map(([, outcome]) => outcome);
  const blamed = outcomes.filter((each) => each === 'broken' || each === 'against-advice');
  expect(outcomes.length - blamed.length).toBeGreaterThanOrEqual(2);
  expect(blamed.length > 0).toBe(!isFree(name));
  expect(blamed.includes('broken')).toBe(!isFree(name) && misbehaviours[name].level === 'must');
});
