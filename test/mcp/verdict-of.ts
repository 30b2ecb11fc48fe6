/** Reads the verdict of a rule, and knows the right one on a wrong client. */

import { clientRules } from '../../src/areas/mcp/judge/all-rules.js';
import type { RuleLevel } from '../../src/kit/verdict/verdict.js';
import type { RuleClient } from './rule-client.js';

/** No outcome that this client shows is certain. */
const neverBroken = ['cancel-own-request'];

const levels = new Map<string, RuleLevel>(
  clientRules.map(({ name, level = 'must' }) => [name, level]),
);

/** Returns the right verdict on a wrong client. */
export function expectedOf(rule: string): string {
  if (neverBroken.includes(rule)) return 'unclear';
  return levels.get(rule) === 'must' ? 'broken' : 'against-advice';
}

export async function reportOf(client: RuleClient, rule: string) {
  const { json } = await client.send('GET /api/sandbox/mcp/findings');
  const found = json.findings.map((each: { rule: string }) => each.rule);
  const { outcome } = json.rules.find((each: { rule: string }) => each.rule === rule);
  return { found: [...new Set(found)], outcome };
}
