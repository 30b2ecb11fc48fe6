/** Each misbehaviour: what is on the wire, and when its run says that a client accepted it. */

import { describe, expect, test } from 'vitest';
import { rightStep } from '../../src/areas/mcp/control/metadata-endpoint.js';
import {
  isOfLogin,
  type LoginName,
  misbehaviourNames,
  queryNames,
} from '../../src/areas/mcp/misbehaviour/misbehaviours.js';
import { redirectUri, responseIn, usualRequest, verifier } from '../support/oidc.js';
import { useService } from '../support/service.js';
import { request } from './mcp.js';
import { type Meet, meetings } from './misbehaviours.js';
import { RuleClient } from './rule-client.js';

const service = useService();

interface Step {
  readonly name: string;
  readonly url: string;
  readonly outcome: string;
}

/** Begins a run in a sandbox, and returns the address of a step. */
async function beginRun(name: string) {
  const client = new RuleClient(service.url, `meets-${name}`);
  const { headers, json } = await client.send('POST /mcp/test-plan/runs');
  const { url = '' } = json.find((step: Step) => step.name === name) ?? {};
  const run = client.below(headers.location ?? '');
  const outcome = async () => {
    const steps = (await client.send(`GET ${run}`)).json;
    return steps.find((step: Step) => step.name === name).outcome;
  };
  const report = (reported: string) =>
    client.send(`PUT ${run}/${name}`, { json: { outcome: reported } });
  return { client, url, outcome, report };
}

test.each(queryNames)('%s', async (name) => {
  const meet: Meet | undefined = meetings[name as keyof typeof meetings];
  expect(meet, 'a case in misbehaviours.ts').toBeDefined();
  const { client, url, outcome, report } = await beginRun(name);
  expect(await outcome()).toBe('not-reached');
  const path = client.below(url) + new URL(url).search;
  const accept = await meet?.({ client, path });
  expect(await outcome()).toBe('refused');
  if (accept === undefined) expect((await report('accepted')).status).toBe(200);
  else await accept();
  expect(await outcome()).toBe('accepted');
});

describe('of the login', () => {
  /** Follows the challenge of an address without checks, up to a token. */
  async function logIn(address: string) {
    const { headers } = await request(
      service,
      'tools/list',
      {},
      { path: new URL(address).pathname },
    );
    const [, metadata = ''] =
      /resource_metadata="(.+?)"/.exec(String(headers['www-authenticate'])) ?? [];
    const resource = (await service.send(`GET ${new URL(metadata).pathname}`)).json;
    return { resource, ...(await logInAt(resource.authorization_servers[0])) };
  }

  async function logInAt(address: string) {
    const issuer = new URL(address);
    const wellKnown = `/.well-known/oauth-authorization-server${issuer.pathname}`;
    const server = (await service.send(`GET ${wellKnown}`)).json;
    const query = new URLSearchParams(usualRequest({ client_id: 'demo-spa', auto: 'ada' }));
    const authorized = await service.send(`GET ${issuer.pathname}/authorize?${query}`);
    const response = responseIn(authorized);
    const redeem = () =>
      service.send(`POST ${issuer.pathname}/token`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'demo-spa',
          redirect_uri: redirectUri,
          code: response.get('code') ?? '',
          code_verifier: verifier,
        }).toString(),
      });
    return { issuer: issuer.href, server, response, redeem };
  }

  type LogIn = Awaited<ReturnType<typeof logIn>>;

  /** Returns what a client can notice, for any issuer. */
  const shownOf = ({ issuer, server, response }: Omit<LogIn, 'resource'>, isForeign: boolean) =>
    JSON.stringify([
      ...[isForeign, server],
      [...response].map(([name, value]) => (name === 'code' ? name : [name, value])),
    ]).replaceAll(issuer, '(issuer)');

  const checks: Readonly<Record<LoginName, (login: LogIn, address: string) => void>> = {
    'foreign-resource': ({ resource }, address) => expect(resource.resource).not.toBe(address),
    'issuer-differs': ({ server, issuer }) => expect(server.issuer).not.toBe(issuer),
    'iss-wrong': ({ response, issuer }) => expect(response.get('iss')).not.toBe(issuer),
    'iss-missing': ({ response }) => expect(response.has('iss')).toBe(false),
    'iss-repeated': ({ response }) => expect(response.getAll('iss')).toHaveLength(2),
  };

  test.each(misbehaviourNames.filter(isOfLogin))('%s', async (name) => {
    const { url, outcome } = await beginRun(name);
    expect(await outcome()).toBe('not-reached');
    const login = await logIn(url);
    expect(checks[name], 'a check of this case').toBeDefined();
    checks[name](login, url);
    const right = await logInAt(login.issuer.replace(/[^/]+(?=\/oidc$)/, rightStep));
    expect(shownOf(login, login.resource.resource !== url)).not.toBe(shownOf(right, false));
    await login.redeem();
    expect(await outcome()).toBe('accepted');
  });
});

test('the test plan has these misbehaviours, in this order, and no others', async () => {
  const { json } = await service.send('GET /mcp/test-plan');
  const named = json.filter(({ kind }: { kind: string }) => kind === 'misbehaviour');
  expect(named.map(({ name }: Step) => name)).toEqual(misbehaviourNames);
});
