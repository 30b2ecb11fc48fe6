/**
 * The clients of the rules tell a blind judge: a judge that blames no client fails on the wrong ones, and
 * a judge that blames every client on the right ones.
 */

import { afterEach, expect, test, vi } from 'vitest';
import { clientRules } from '../../src/areas/mcp/judge/all-rules.js';
import { misbehaviourRules } from '../../src/areas/mcp/judge/input-rules.js';
import type { Checked, ClientRule } from '../../src/areas/mcp/judge/rule.js';
import { useService } from '../support/service.js';
import { lawfulClients, unclearClients, wrongClients } from './lawful-clients.js';
import { memoryRules } from './memory-rules.js';
import { RuleClient } from './rule-client.js';
import { requestRules } from './rules.js';
import { expectedOf, reportOf } from './verdict-of.js';

const service = useService({ h2c: true });
const cases = [...requestRules, ...memoryRules];

afterEach(() => {
  vi.restoreAllMocks();
});

/** A misbehaviour tells about these, and no single request. */
const byMisbehaviour = new Set<string>(Object.values(misbehaviourRules).map(({ name }) => name));

const judged = clientRules.filter(({ name }) => !byMisbehaviour.has(name));

/** Replaces each verdict of a rule that is about a request. */
function judgeWith(rule: ClientRule, verdict: Checked): void {
  const { check } = rule;
  vi.spyOn(rule, 'check').mockImplementation((observed) =>
    check(observed) === undefined ? undefined : verdict,
  );
}

const caseOf = (name: string) => {
  const found = cases.find(({ rule }) => rule === name);
  expect(found, `clients of ${name}`).toBeDefined();
  return found as (typeof cases)[number];
};

test.each(judged)('a judge that blames no client fails $name', async (rule) => {
  judgeWith(rule, true);
  const client = new RuleClient(service.url, `never-blamed-${rule.name}`);
  await caseOf(rule.name).wrong(client);
  const { outcome } = await reportOf(client, rule.name);
  expect(outcome).toBe('kept');
  expect(outcome).not.toBe(expectedOf(rule.name));
});

test.each(judged)('a judge that blames every client fails $name', async (rule) => {
  judgeWith(rule, 'everything');
  const client = new RuleClient(service.url, `always-blamed-${rule.name}`);
  await caseOf(rule.name).right(client);
  const { found } = await reportOf(client, rule.name);
  expect(found).toEqual([rule.name]);
});

test('the right, wrong and unclear clients are of known rules', () => {
  const names = clientRules.map(({ name }) => name);
  const all = [...lawfulClients, ...wrongClients, ...unclearClients];
  expect(all.filter(({ rule }) => !names.includes(rule))).toEqual([]);
  expect(cases.map(({ rule }) => rule).sort()).toEqual([...names].sort());
});
