/** The guide's table of broken streams has exactly the cases of the test plan. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const { send } = useService();

interface Case {
  readonly misbehave: string;
  readonly at: string;
  readonly nature: string;
  readonly endpoints: readonly string[];
  readonly what: string;
}

const endpointNames: Readonly<Record<string, string>> = {
  '/llm/openai/v1/chat/completions': 'chat',
  '/llm/openai/v1/responses': 'responses',
  '/llm/anthropic/v1/messages': 'messages',
  '/llm/gemini/v1beta/models/practice-1:streamGenerateContent': 'gemini',
  '/llm/ollama/api/chat': 'ollama',
};

test('the guide lists each case with its place, nature, endpoints and effect', async () => {
  const { json } = await send('GET /llm/test-plan');
  const plan: readonly Case[] = json;
  const names = [...new Set(plan.map(({ misbehave }) => misbehave))];
  const rows = names.map((name) => rowOf(plan.filter(({ misbehave }) => misbehave === name)));
  const guide = readFileSync(new URL('../../docs/llm/broken-streams.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- cases -->\n([\s\S]*?)\n<!-- end of cases -->/.exec(guide) ?? [];
  expect(table.split('\n').slice(2)).toEqual(rows);
});

function rowOf(cases: readonly Case[]): string {
  const [first] = cases;
  if (first === undefined) throw new Error('A stream has a case.');
  const { misbehave, nature, endpoints, what } = first;
  const places = cases.map(({ at }) => `\`${at}\``).join(', ');
  const all = Object.keys(endpointNames).length;
  const kinds =
    endpoints.length === all ? 'all' : endpoints.map((each) => endpointNames[each]).join(', ');
  return `| \`${misbehave}\` | ${places} | ${nature} | ${kinds} | ${what} |`;
}
