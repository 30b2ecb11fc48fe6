import { expect, test } from 'vitest';
import type { RunEvent } from './case.js';
import { type MisbehaviourName, misbehaviours } from './misbehaviours.js';
import { judgeEvent, outcomeOf, type StepRecord, stepVerdict } from './runs.js';

test.each<[string, MisbehaviourName, RunEvent[], StepRecord['reported'], string]>([
  ['nothing happened', 'wrong-iss', [], undefined, 'not-reached'],
  ['it only looked', 'wrong-iss', ['discovered', 'started', 'responded'], undefined, 'not-reached'],
  ['it has the token, and stops', 'wrong-iss', ['redeemed', 'granted'], undefined, 'refused'],
  ['it requests userinfo', 'wrong-iss', ['redeemed', 'granted', 'asked'], undefined, 'accepted'],
  ['it uses the API', 'wrong-iss', ['redeemed', 'granted', 'used'], undefined, 'accepted'],
  ['it reports that it accepted', 'wrong-iss', ['granted'], 'accepted', 'accepted'],
  ['it reports that it rejected', 'wrong-iss', ['granted'], 'refused', 'refused'],
  ['it reads userinfo while it validates', 'wrong-iss', ['granted', 'asked'], 'refused', 'refused'],
  [
    'it reports a rejection, but continues',
    'wrong-iss',
    ['granted', 'asked', 'used'],
    'refused',
    'accepted',
  ],
  ['the tokens of a refresh are rejected', 'refresh-aud', ['renewed'], undefined, 'refused'],
  ['it continues after a refresh', 'refresh-aud', ['renewed', 'used'], undefined, 'accepted'],
  ['the old token is still used', 'refresh-aud', ['renewed', 'used'], 'refused', 'refused'],
  ['it reports a step that it never reached', 'wrong-iss', [], 'refused', 'not-reached'],
  ['a response is not used', 'wrong-state', ['started', 'responded'], undefined, 'refused'],
  ['a response is redeemed', 'wrong-state', ['responded', 'redeemed'], undefined, 'accepted'],
  ['PKCE rejected a foreign code', 'foreign-code', ['responded', 'redeemed'], undefined, 'refused'],
  [
    'a foreign code returned tokens',
    'foreign-code',
    ['responded', 'granted', 'asked'],
    undefined,
    'accepted',
  ],
  ['userinfo is its last request', 'userinfo-sub', ['granted', 'asked'], undefined, 'refused'],
  ['userinfo was accepted', 'userinfo-sub', ['granted', 'asked', 'used'], undefined, 'accepted'],
  ['a document was read', 'discovery-other-issuer', ['discovered'], undefined, 'refused'],
  [
    'a document was accepted',
    'discovery-other-issuer',
    ['discovered', 'started'],
    undefined,
    'accepted',
  ],
  ['one refresh', 'refresh-not-rotated', ['granted', 'asked', 'refreshed'], undefined, 'refused'],
  ['a second refresh', 'refresh-not-rotated', ['refreshed', 'refreshed'], undefined, 'accepted'],
])('%s', (_name, misbehaviour, events, reported, outcome) => {
  const start: StepRecord = reported === undefined ? {} : { reported };
  const record = events.reduce(
    (step, event) => judgeEvent(misbehaviours[misbehaviour], step, event, event),
    start,
  );
  expect(outcomeOf(record)).toBe(outcome);
});

test.each<[MisbehaviourName, RunEvent[], string, RunEvent[]]>([
  ['wrong-iss', ['redeemed'], 'not-reached', []],
  ['wrong-iss', ['granted'], 'kept', ['granted']],
  ['wrong-iss', ['granted', 'asked'], 'unclear', ['granted', 'asked']],
  ['wrong-iss', ['granted', 'asked', 'used'], 'broken', ['granted', 'asked', 'used']],
  ['wrong-iss', ['granted', 'used'], 'broken', ['granted', 'used']],
  ['refresh-sub', ['renewed', 'used'], 'kept', ['renewed', 'used']],
  ['refresh-aud', ['renewed', 'used'], 'kept', ['renewed', 'used']],
  ['foreign-key', ['granted', 'asked'], 'kept', ['granted', 'asked']],
  ['refresh-not-rotated', ['refreshed', 'refreshed'], 'kept', ['refreshed', 'refreshed']],
  ['slow', ['redeemed'], 'kept', ['redeemed']],
  ['no-typ', ['granted'], 'unclear', ['granted']],
  ['no-typ', ['granted', 'used'], 'kept', ['granted', 'used']],
])('%s after %j: the rule is %s', (name, events, outcome, evidence) => {
  const record = events.reduce<StepRecord>(
    (step, event) => judgeEvent(misbehaviours[name], step, event, event),
    {},
  );
  const verdict = stepVerdict(name, record);
  expect(verdict).toMatchObject({ id: `oidc-${name}`, rule: name, outcome });
  expect(verdict.evidence).toEqual([...new Set(evidence)]);
});
