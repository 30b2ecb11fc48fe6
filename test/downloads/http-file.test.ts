/** The file of requests, read strictly and sent request by request. */

import { describe, expect, test } from 'vitest';
import { gatherCollections } from '../../src/downloads/gather-collections.js';
import { areas } from '../../src/service.js';
import { signUp } from '../support/accounts.js';
import { useService } from '../support/service.js';
import { parseRequestFile, RequestFileRunner } from './request-file.js';

const { leftOutOfFile } = gatherCollections(areas);
const target = 'GET /downloads/practice-api.http';
const open = useService();
const closed = useService({ accounts: 'required' });

/** What was answered otherwise than the file says. */
async function surprises(text: string, values: Readonly<Record<string, string>> = {}) {
  const { variables, requests } = parseRequestFile(text);
  const runner = new RequestFileRunner({ ...variables, ...values });
  const found: string[] = [];
  for (const request of requests) {
    const { status, text: body } = await runner.run(request);
    if (!request.statuses.includes(status)) found.push(`${request.title}: ${status} ${body}`);
  }
  return found;
}

describe('every request is answered as the file says', () => {
  for (const state of ['fresh', 'used']) {
    test(`on a ${state} service`, async () => {
      expect(await surprises((await open.send(target)).text)).toEqual([]);
    });
  }

  test('with the key of an account where one is required', async () => {
    const { key } = await signUp(closed);
    expect(await surprises((await closed.send(target)).text, { serviceKey: key })).toEqual([]);
  });
});

test('every operation of the description is in it, but for those with a reason', async () => {
  const { paths } = (await open.send('GET /openapi.json')).json;
  const described = Object.values<Record<string, { operationId: string }>>(paths).flatMap(
    (operations) => Object.values(operations).map(({ operationId }) => operationId),
  );
  const { requests } = parseRequestFile((await open.send(target)).text);
  const names = requests.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const missing = described.filter((operationId) => !names.includes(operationId));
  expect(missing.sort()).toEqual(Object.keys(leftOutOfFile).sort());
});

test('an answer that is otherwise than the file says is found', async () => {
  const { text } = await open.send(target);
  const wrong = text.replace('@adminToken = demo-admin-token', '@adminToken = another');
  expect((await surprises(wrong)).length).toBe(2);
});
