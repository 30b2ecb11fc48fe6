/** Every judge reports in one record, whose evidence is the ids of real requests. */

import { expect, test } from 'vitest';
import type { Verdict } from '../../src/kit/verdict/verdict.js';
import { afterCrossing } from '../support/create-service.js';
import { issuerAt, usualRequest } from '../support/oidc.js';
import { type SendOptions, useService } from '../support/service.js';

const service = useService();
const { send } = service;

const prefix = '/s/judged';
const idOf = async (target: string, options: SendOptions = {}) =>
  String((await send(target, options)).headers['x-request-id']);
const headers = (given: Readonly<Record<string, string>>): SendOptions => ({ headers: given });

interface Judged {
  readonly verdicts: readonly Verdict[];
  readonly outcome: Verdict['outcome'];
  /** The rule that the client broke, and the requests that broke it. */
  readonly rule: string;
  readonly requests: readonly string[];
}

async function retries(): Promise<Judged> {
  const json = { rules: [{ sequence: [{ status: 503, retryAfter: 5 }] }] };
  await send(`PUT ${prefix}/api/sandbox/faults`, { json });
  const read = `GET ${prefix}/api/Books/1`;
  const requests = [await idOf(read), await afterCrossing().then(() => idOf(read))];
  const log = (await send(`GET ${prefix}/api/sandbox/faults/log`)).json;
  expect(log.attempts.map((each: { requestId: string }) => each.requestId)).toEqual(requests);
  return { verdicts: log.verdicts, outcome: 'against-advice', rule: 'retry-after', requests };
}

async function cookies(): Promise<Judged> {
  const { json } = await send(`POST ${prefix}/api/http/cookies/jar`);
  const [start = ''] = json.steps.map((url: string) => url.slice(service.url.length));
  const id = await idOf(`GET ${start}`, headers({ Cookie: 'expired=1' }));
  const { verdicts } = (await send(`GET ${json.verdict.slice(service.url.length)}`)).json;
  return { verdicts, outcome: 'broken', rule: 'expired', requests: [id] };
}

async function cache(): Promise<Judged> {
  const read = `GET ${prefix}/api/http/cache/judged?maxAge=60`;
  const requests = [await idOf(read), await afterCrossing().then(() => idOf(read))];
  const { hits, verdicts } = (await send(`GET ${prefix}/api/http/cache/judged/hits`)).json;
  expect(hits.map((each: { requestId: string }) => each.requestId)).toEqual(requests);
  return { verdicts, outcome: 'against-advice', rule: 'reuse-fresh', requests };
}

async function guard(): Promise<Judged> {
  const response = await send(`GET ${prefix}/api/auth/signature`);
  const requests = [String(response.headers['x-request-id'])];
  return { verdicts: [response.json.verdict], outcome: 'broken', rule: 'signature', requests };
}

async function verifier(): Promise<Judged> {
  const body =
    'GET /foo HTTP/1.1\nHost: example.com\nSignature-Input: sig=("@method");keyid="test-key-ed25519"\nSignature: sig=:AAAA:\n';
  const response = await send(`POST ${prefix}/api/auth/signature/verify`, {
    ...headers({ 'Content-Type': 'message/http' }),
    body,
  });
  const requests = [String(response.headers['x-request-id'])];
  return { verdicts: [response.json.verdict], outcome: 'broken', rule: 'signature', requests };
}

async function oidc(): Promise<Judged> {
  const run = new URL((await send(`POST ${prefix}/oidc/test-plan/runs`)).headers.location ?? '')
    .pathname;
  const issuer = issuerAt(service, `${run}/wrong-iss`);
  const { json, headers: granted } = await issuer.redeem(
    await issuer.code({ ...usualRequest(), auto: 'ada' }),
  );
  const asked = await issuer.get('userinfo', json.access_token);
  const steps = (await send(`GET ${run}`)).json;
  const requests = [granted, asked.headers].map((each) => String(each['x-request-id']));
  const verdicts = steps.map((step: { verdict: Verdict }) => step.verdict);
  // A right client may read userinfo while it validates.
  return { verdicts, outcome: 'unclear', rule: 'wrong-iss', requests };
}

async function challenge(): Promise<Judged> {
  const path = `${prefix}/api/challenges/resilience-no-retry`;
  await send(`POST ${path}/start`);
  const invalid = { json: { title: 'repeated' } };
  const { headers } = await send(`POST ${prefix}/api/Books`, invalid);
  await send(`POST ${prefix}/api/Books`, invalid);
  return {
    verdicts: [(await send(`GET ${path}`)).json.verdict],
    outcome: 'broken',
    rule: 'resilience-no-retry',
    requests: [String(headers['x-request-id'])],
  };
}

test.each(Object.entries({ retries, cookies, cache, guard, verifier, oidc, challenge }))(
  '%s: verdicts have one form, and name the requests',
  async (_judge, run) => {
    const { verdicts, outcome, rule, requests } = await run();
    const ids = verdicts.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const each of verdicts) {
      expect(each).toEqual({
        id: expect.stringMatching(/^[a-z-]+-[\w-]+$/),
        rule: expect.stringMatching(/./),
        level: expect.stringMatching(/^(?:must|should|advice)$/),
        outcome: expect.stringMatching(/^(?:kept|broken|against-advice|unclear|not-reached)$/),
        ...(each.outcome === 'unclear' && { decidedBy: expect.stringMatching(/./) }),
        section: expect.stringMatching(/section [\d.]+(?:, .+)?$|^advice$/),
        evidence: expect.any(Array),
        hint: expect.stringMatching(/./),
      });
    }
    expect(verdicts.find((each) => each.rule === rule)).toMatchObject({
      outcome,
      evidence: requests,
    });
  },
);
