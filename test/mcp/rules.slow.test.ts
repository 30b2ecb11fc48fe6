/** Each rule about clients: right, wrong and unclear ones. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { lawfulClients, unclearClients, wrongClients } from './lawful-clients.js';
import { memoryRules } from './memory-rules.js';
import { RuleClient } from './rule-client.js';
import { requestRules } from './rules.js';
import { expectedOf, reportOf } from './verdict-of.js';

const service = useService({ h2c: true });
const cases = [...requestRules, ...memoryRules];

test.each(cases)('$rule', async ({ rule, right, wrong }) => {
  const keeping = new RuleClient(service.url, `keeps-${rule}`);
  await right(keeping);
  expect(await reportOf(keeping, rule)).toEqual({ found: [], outcome: 'kept' });
  const breaking = new RuleClient(service.url, `breaks-${rule}`);
  await wrong(breaking);
  expect(await reportOf(breaking, rule)).toEqual({ found: [rule], outcome: expectedOf(rule) });
});

test.each(lawfulClients.map((each, index) => ({ ...each, index })))(
  '$rule: $name is right',
  async ({ rule, act, index, outcome = 'kept' }) => {
    const client = new RuleClient(service.url, `lawful-${index}`);
    await act(client);
    expect(await reportOf(client, rule)).toEqual({ found: [], outcome });
  },
);

test.each(wrongClients.map((each, index) => ({ ...each, index })))(
  '$rule: $name is wrong',
  async ({ rule, act, index }) => {
    const client = new RuleClient(service.url, `wrong-${index}`);
    await act(client);
    expect(await reportOf(client, rule)).toEqual({ found: [rule], outcome: expectedOf(rule) });
  },
);

test.each(unclearClients.map((each, index) => ({ ...each, index })))(
  '$rule: $name is unclear',
  async ({ rule, act, index }) => {
    const client = new RuleClient(service.url, `unclear-${index}`);
    await act(client);
    expect(await reportOf(client, rule)).toEqual({ found: [rule], outcome: 'unclear' });
    const { json } = await client.send('GET /api/sandbox/mcp/findings');
    expect(json.findings[0].decidedBy).toBeTruthy();
  },
);

test('the test plan has these rules, and no others', async () => {
  const { json } = await service.send('GET /mcp/test-plan');
  const rules = json.filter(({ kind }: { kind: string }) => kind === 'rule');
  const names = rules.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(cases.map(({ rule }) => rule).sort());
  expect(names.length).toBeGreaterThanOrEqual(60);
});
