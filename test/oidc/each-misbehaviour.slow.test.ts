/** Every case of the test plan, through HTTP: it changes what its effects name, and nothing else. */

import { isDeepStrictEqual } from 'node:util';
import type { JSONWebKeySet } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import type { Effects } from '../../src/areas/oidc/misbehaviour/case.js';
import {
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviours,
} from '../../src/areas/oidc/misbehaviour/misbehaviours.js';
import { asWeb, issuerAt, usualRequest, without } from '../support/oidc.js';
import { useService } from '../support/service.js';
import { type RecordedLogin, recordLogin } from './recorded-login.js';

const service = useService();
const { send } = service;
const prefix = '/s/each';

const afterTokens = ['token', 'idToken', 'refreshed', 'renewedIdToken', 'userinfo', 'api'];

/** The parts of a login that each effect may change; it must change at least one. */
const partsOf: Readonly<Record<keyof Effects, readonly string[]>> = {
  discovery: ['discovery'],
  jwks: ['jwks'],
  response: ['response'],
  code: afterTokens,
  tokenResponse: ['token', 'refreshed'],
  claims: ['idToken', 'renewedIdToken'],
  renewedClaims: ['renewedIdToken'],
  userinfo: ['userinfo'],
  sign: ['idToken', 'renewedIdToken'],
  delayMs: ['delay'],
  fail: [...afterTokens, 'wrongVerifier'],
  acceptsAnyVerifier: ['wrongVerifier'],
  keepsRefreshToken: ['refreshed'],
};

/** The parts that a request for a code and tokens does not reach. */
const ofIssuer = ['discovery', 'jwks'];

const scope = 'openid profile offline_access';
const request = usualRequest({ auto: 'ada', nonce: 'n', scope });

let keys: JSONWebKeySet;
let run: string;
let plain: RecordedLogin;

const differencesInRun = new Map<MisbehaviourName, readonly string[]>();
const differencesByRequest = new Map<MisbehaviourName, readonly string[]>();
const selectable = misbehaviourNames.filter((name) => !misbehaviours[name].isOfIssuer);

beforeAll(async () => {
  keys = (await send(`GET ${prefix}/oidc/jwks`)).json;
  const { headers } = await send(`POST ${prefix}/oidc/test-plan/runs`);
  run = new URL(headers.location ?? '').pathname;
  plain = await recordLogin(service, prefix, keys, request);
  const inRun = misbehaviourNames.map(async (name) => {
    const login = await recordLogin(service, `${run}/${name}`, keys, request);
    differencesInRun.set(name, differing(name, login));
  });
  const byRequest = selectable.map(async (name) => {
    const login = await recordLogin(service, prefix, keys, { ...request, misbehave: name });
    differencesByRequest.set(name, differing(name, login));
  });
  await Promise.all([...inRun, ...byRequest]);
});

/** Names the parts that differ from the login without a misbehaviour. */
function differing(name: MisbehaviourName, { parts, tokenMs }: RecordedLogin) {
  const { delayMs = Number.POSITIVE_INFINITY } = misbehaviours[name];
  const all = Object.keys(plain.parts);
  const changed = all.filter((part) => !isDeepStrictEqual(parts[part], plain.parts[part]));
  return tokenMs < delayMs ? changed : [...changed, 'delay'];
}

function checkDifferences(name: MisbehaviourName, differences: readonly string[] = []) {
  const effects = Object.entries(partsOf).filter(([effect]) => effect in misbehaviours[name]);
  const allowed = effects.flatMap(([, parts]) => parts);
  expect(differences.filter((part) => !allowed.includes(part))).toEqual([]);
  expect(differences).not.toEqual([]);
  return effects;
}

test('two logins without a misbehaviour are equal', async () => {
  expect((await recordLogin(service, prefix, keys, request)).parts).toEqual(plain.parts);
  expect(Object.keys(plain.parts)).toHaveLength(10);
});

test.each(misbehaviourNames)('in a run, each effect of %s changes the login', (name) => {
  const differences = differencesInRun.get(name) ?? [];
  for (const [effect, parts] of checkDifferences(name, differences)) {
    expect(
      differences.filter((part) => parts.includes(part)),
      effect,
    ).not.toEqual([]);
  }
});

test.each(selectable)('misbehave=%s changes one login, and not its issuer', (name) => {
  const differences = differencesByRequest.get(name);
  checkDifferences(name, differences);
  expect(differences?.filter((part) => ofIssuer.includes(part))).toEqual([]);
});

const needy = misbehaviourNames.flatMap((name) => {
  const { needs } = misbehaviours[name];
  return needs === undefined ? [] : [[name, needs] as const];
});

test.each(needy)('%s changes nothing without a %s', async (name, needs) => {
  const lacking = without(request, needs);
  const { headers } = await send(`POST ${prefix}/oidc/test-plan/runs`);
  const { pathname } = new URL(headers.location ?? '');
  const login = await recordLogin(service, `${pathname}/${name}`, keys, lacking);
  expect(login.parts).toEqual((await recordLogin(service, prefix, keys, lacking)).parts);
  expect(await outcomesOf(pathname)).toMatchObject({ [name]: 'not-reached' });
});

async function outcomesOf(path: string): Promise<Readonly<Record<string, string>>> {
  const { json } = await send(`GET ${path}`);
  const steps: { readonly name: string; readonly outcome: string }[] = json;
  return Object.fromEntries(steps.map(({ name, outcome }) => [name, outcome]));
}

test('a run reports that a client without checks accepts everything', async () => {
  const outcomes = Object.entries(await outcomesOf(run));
  expect(outcomes.map(([name]) => name)).toEqual(misbehaviourNames);
  // PKCE stops one, and the others return no tokens.
  expect(outcomes.filter(([, outcome]) => outcome !== 'accepted')).toEqual([
    ['foreign-code', 'refused'],
    ['html-errors', 'refused'],
    ['failing', 'refused'],
  ]);
});

const ofWholeIssuer = misbehaviourNames.filter((name) => misbehaviours[name].isOfIssuer);

test.each<readonly [string, string]>([
  ['wrong-everything', 'must be one of wrong-iss'],
  ...ofWholeIssuer.map((name) => [name, 'PUT /api/sandbox/oidc'] as const),
])('misbehave=%s is rejected at all endpoints', async (misbehave, what) => {
  const issuer = issuerAt(service, '');
  const asked = await issuer.authorize(usualRequest({ misbehave }));
  const granted = await issuer.redeem('x', { misbehave });
  const stored = await issuer.post('par', usualRequest({ misbehave }), asWeb);
  for (const { status, json } of [asked, granted, stored]) {
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: 'invalid_request' });
    expect(json.message).toContain(what);
  }
});
