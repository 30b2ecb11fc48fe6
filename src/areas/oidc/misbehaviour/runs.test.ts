import { expect, test } from 'vitest';
import { type MisbehaviourName, type RunEvent, ruleOf } from './misbehaviours.js';
import { judgeEvent, outcomeOf, type StepRecord } from './runs.js';

test.each<[string, MisbehaviourName, RunEvent[], StepRecord['reported'], string]>([
  ['nothing happened', 'wrong-iss', [], undefined, 'not-reached'],
  ['it only looked', 'wrong-iss', ['discovered', 'started', 'responded'], undefined, 'not-reached'],
  [
    'it has the token and goes no further',
    'wrong-iss',
    ['redeemed', 'granted'],
    undefined,
    'refused',
  ],
  ['it asks who that is', 'wrong-iss', ['redeemed', 'granted', 'asked'], undefined, 'accepted'],
  ['it uses the API', 'wrong-iss', ['redeemed', 'granted', 'used'], undefined, 'accepted'],
  ['it says that it accepted', 'wrong-iss', ['granted'], 'accepted', 'accepted'],
  ['it says that it rejected', 'wrong-iss', ['granted'], 'refused', 'refused'],
  ['it says so, and goes on', 'wrong-iss', ['granted', 'asked'], 'refused', 'accepted'],
  ['it says so of what it never met', 'wrong-iss', [], 'refused', 'not-reached'],
  ['a response is left alone', 'wrong-state', ['started', 'responded'], undefined, 'refused'],
  ['a response is redeemed', 'wrong-state', ['responded', 'redeemed'], undefined, 'accepted'],
  [
    'PKCE made a foreign code fail',
    'foreign-code',
    ['responded', 'redeemed'],
    undefined,
    'refused',
  ],
  [
    'a foreign code gave tokens',
    'foreign-code',
    ['responded', 'granted', 'asked'],
    undefined,
    'accepted',
  ],
  ['userinfo is the last it asked for', 'userinfo-sub', ['granted', 'asked'], undefined, 'refused'],
  ['userinfo was believed', 'userinfo-sub', ['granted', 'asked', 'used'], undefined, 'accepted'],
  ['a document was read', 'discovery-other-issuer', ['discovered'], undefined, 'refused'],
  [
    'a document was believed',
    'discovery-other-issuer',
    ['discovered', 'started'],
    undefined,
    'accepted',
  ],
  ['one refresh', 'refresh-not-rotated', ['granted', 'asked', 'refreshed'], undefined, 'refused'],
  ['another one', 'refresh-not-rotated', ['refreshed', 'refreshed'], undefined, 'accepted'],
])('%s', (_name, misbehaviour, events, reported, outcome) => {
  const start: StepRecord = reported === undefined ? {} : { reported };
  const record = events.reduce(
    (step, event) => judgeEvent(ruleOf(misbehaviour), step, event),
    start,
  );
  expect(outcomeOf(record)).toBe(outcome);
});
