/** The file of requests, parsed strictly and sent request by request. */

import { describe, expect, test } from 'vitest';
import { gatherCollections } from '../../src/describe/postman/gather-collections.js';
import { areas } from '../../src/service.js';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';
import { parseRequestFile, RequestFileRunner } from './request-file.js';

const { leftOutOfFile } = gatherCollections(areas, false);
const target = 'GET /downloads/practice-api.http';
const open = useService();
const closed = useService({ accounts: 'required' });

/** Requests that got a response other than the file says. */
async function mismatches(text: string, values: Readonly<Record<string, string>> = {}) {
  const { variables, requests } = parseRequestFile(text);
  const runner = new RequestFileRunner({ ...variables, ...values });
  const found: string[] = [];
  for (const request of requests) {
    const { status, text: body } = await runner.run(request);
    if (!request.statuses.includes(status)) found.push(`${request.title}: ${status} ${body}`);
  }
  return found;
}

describe('every request gets the response that the file says', () => {
  for (const state of ['fresh', 'used']) {
    test(`on a ${state} service`, async () => {
      expect(await mismatches((await open.send(target)).text)).toEqual([]);
    });
  }

  test('with the key of an account where one is required', async () => {
    const { key } = await signUp(closed);
    expect(await mismatches((await closed.send(target)).text, { serviceKey: key })).toEqual([]);
  });

  test('inside a sandbox, which no request of the file names', async () => {
    const { text } = await open.send('GET /s/file/downloads/practice-api.http');
    expect(text).toContain(`@baseUrl = ${open.url}/s/file\n`);
    expect(text).not.toMatch(/^X-Sandbox:/m);
    expect(await mismatches(text)).toEqual([]);
  });

  test('below a URL that replaces a key', async () => {
    const { key, send } = await signUp(closed);
    const { address } = (await send('POST /api/sandbox/address')).json;
    const at = address.slice(closed.url.length);
    const { text } = await closed.send(`GET ${at}/downloads/practice-api.http`);
    // The file creates other accounts, whose keys would contradict the account of the URL.
    const [others = ''] = text.split('### Accounts:');
    expect(others.match(/^### /gm)?.length).toBeGreaterThan(100);
    expect(await mismatches(others, { serviceKey: key })).toEqual([]);
  });
});

test('every operation of the description is in it, except for listed ones with a reason', async () => {
  const { paths } = (await open.send('GET /openapi.json')).json;
  const described = Object.values<Record<string, { operationId?: string }>>(paths).flatMap(
    (operations) => Object.values(operations).flatMap(({ operationId }) => operationId ?? []),
  );
  const { requests } = parseRequestFile((await open.send(target)).text);
  const names = requests.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const missing = described.filter((operationId) => !names.includes(operationId));
  // Operations of services with accounts only are not described here.
  const reasons = Object.keys(leftOutOfFile).filter((id) => described.includes(id));
  expect(missing.sort()).toEqual(reasons.sort());
});

test('the data of a sandbox is loaded again after its deletion', async () => {
  const { requests } = parseRequestFile((await open.send(target)).text);
  const names = requests.map(({ name }) => name);
  const order = ['putSandboxData', 'deleteSandboxData', 'putSandboxDataAgain'];
  expect(names.filter((name) => order.includes(name))).toEqual(order);
  const posted = requests.find(({ name }) => name === 'postJsonServerByResource');
  expect(posted?.url).toContain('{{putSandboxDataAgain.response.body.$.relations.0.parents}}');
});

test('a response that contradicts the file is found', async () => {
  const { text } = await open.send(target);
  const wrong = text.replace('@adminToken = demo-admin-token', '@adminToken = another');
  expect((await mismatches(wrong)).length).toBe(2);
});
