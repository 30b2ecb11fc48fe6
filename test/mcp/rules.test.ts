/** Each rule about clients: a right client has no finding, and a wrong one has exactly one. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { memoryRules } from './memory-rules.js';
import { RuleClient } from './rule-client.js';
import { requestRules } from './rules.js';

const service = useService();
const cases = [...requestRules, ...memoryRules];

async function reportOf(client: RuleClient, rule: string) {
  const { json } = await client.send('GET /api/sandbox/mcp/findings');
  const broken = json.findings.map((each: { rule: string }) => each.rule);
  const { outcome } = json.rules.find((each: { rule: string }) => each.rule === rule);
  return { broken, outcome };
}

test.each(cases)('$rule', async ({ rule, right, wrong }) => {
  const keeping = new RuleClient(service.url, `keeps-${rule}`);
  await right(keeping);
  expect(await reportOf(keeping, rule)).toEqual({ broken: [], outcome: 'kept' });
  const breaking = new RuleClient(service.url, `breaks-${rule}`);
  await wrong(breaking);
  expect(await reportOf(breaking, rule)).toEqual({ broken: [rule], outcome: 'broken' });
});

test('the test plan has these rules, and no others', async () => {
  const { json } = await service.send('GET /mcp/test-plan');
  const rules = json.filter(({ kind }: { kind: string }) => kind === 'rule');
  const names = rules.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(cases.map(({ rule }) => rule).sort());
  expect(names.length).toBeGreaterThanOrEqual(60);
});
