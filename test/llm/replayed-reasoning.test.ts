/** Thinking and reasoning that clients send back: right, wrong, and unclear. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { ask, user } from './llm.js';

const service = useService();

interface Item {
  readonly type: string;
  readonly [name: string]: unknown;
}

interface Replay {
  /** The output of the first response. */
  readonly change: (output: readonly Item[]) => readonly object[];
  /** Members of both requests. */
  readonly settings?: object;
  readonly status: number;
  readonly code?: string | null;
  readonly outcome: 'kept' | 'broken' | 'unclear';
}

const encrypted = { store: false, include: ['reasoning.encrypted_content'] };
const shown = { reasoning: { effort: 'low', summary: 'auto' } };
const unchanged = (output: readonly Item[]) => output;

/** Changes members of the reasoning; `undefined` removes one. */
const reasoningWith = (more: object) => (output: readonly Item[]) =>
  output.map((item) => (item.type === 'reasoning' ? { ...item, ...more } : item));

const withoutId = ({ id: _, ...item }: Item) => item;
const other = [{ type: 'summary_text', text: 'Another.' }];

const replays: Readonly<Record<string, Replay>> = {
  'a stored item': { change: unchanged, status: 200, outcome: 'kept' },
  'a stored item with its summary': {
    change: unchanged,
    settings: shown,
    status: 200,
    outcome: 'kept',
  },
  'an encrypted item': { change: unchanged, settings: encrypted, status: 200, outcome: 'kept' },
  'an encrypted item without ids, as Codex sends it': {
    change: (output) => output.map(withoutId),
    settings: { ...encrypted, ...shown },
    status: 200,
    outcome: 'kept',
  },
  'no reasoning': {
    change: (output) => output.filter(({ type }) => type !== 'reasoning'),
    status: 200,
    outcome: 'kept',
  },
  'references to both items': {
    change: (output) => output.map(({ id }) => ({ type: 'item_reference', id })),
    status: 200,
    outcome: 'kept',
  },
  'an item that was not stored': {
    change: unchanged,
    settings: { store: false },
    status: 404,
    code: null,
    outcome: 'broken',
  },
  'an item that may have been stored': {
    change: reasoningWith({ id: 'rs_doesnotexist' }),
    status: 404,
    code: null,
    outcome: 'unclear',
  },
  'an item whose content is null': {
    change: reasoningWith({ encrypted_content: null }),
    settings: encrypted,
    status: 404,
    code: null,
    outcome: 'broken',
  },
  'an item without id and content': {
    change: (output) => output.map(({ encrypted_content: _, ...item }) => withoutId(item)),
    settings: encrypted,
    status: 400,
    code: 'missing_required_parameter',
    outcome: 'broken',
  },
  'altered content': {
    change: (output) =>
      output.map((item) => ({
        ...item,
        ...(item.type === 'reasoning' && { encrypted_content: `${item.encrypted_content}A` }),
      })),
    settings: encrypted,
    status: 400,
    code: 'invalid_encrypted_content',
    outcome: 'broken',
  },
  'made-up content': {
    change: reasoningWith({ encrypted_content: 'garbage' }),
    settings: encrypted,
    status: 400,
    code: 'invalid_encrypted_content',
    outcome: 'broken',
  },
  'another summary of an encrypted item': {
    change: reasoningWith({ summary: other }),
    settings: encrypted,
    status: 400,
    code: 'invalid_value',
    outcome: 'broken',
  },
  'another summary of a stored item': {
    change: reasoningWith({ summary: other }),
    settings: shown,
    status: 400,
    code: 'invalid_value',
    outcome: 'broken',
  },
  'an item without its follower': {
    change: (output) => output.slice(0, 1),
    status: 400,
    code: null,
    outcome: 'broken',
  },
  'an item twice': {
    change: (output) => [...output, ...output],
    status: 400,
    code: null,
    outcome: 'broken',
  },
};

async function outcomeIn(sandbox: string): Promise<string> {
  const { json } = await service.send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  const rules: readonly { rule: string; outcome: string }[] = json.rules;
  return rules.find(({ rule }) => rule === 'thinking-unaltered')?.outcome ?? '';
}

test.each(Object.entries(replays))('responses: %s', async (what, replay) => {
  const { change, settings = {}, status, code, outcome } = replay;
  const sandbox = `replay-${what.replaceAll(/\W+/g, '-')}`;
  const common = { model: 'practice-1-thinking', ...settings };
  const first = user('Hello');
  const begun = await ask(service, 'responses', { ...common, input: [first] }, { sandbox });
  const input = [first, ...change(begun.json.output), user('Go on')];
  const { status: got, json } = await ask(service, 'responses', { ...common, input }, { sandbox });
  expect(got).toBe(status);
  if (code !== undefined) expect(json.error.code).toBe(code);
  expect(await outcomeIn(sandbox)).toBe(what === 'no reasoning' ? 'not-reached' : outcome);
});

const made = { type: 'redacted_thinking', data: 'abc' };

test.each<[string, (content: readonly Item[]) => readonly object[], number, string]>([
  ['the message as received', unchanged, 200, 'kept'],
  [
    'the thinking twice',
    ([first, ...rest]) => [first as Item, first as Item, ...rest],
    400,
    'broken',
  ],
  ['made-up thinking instead', ([, ...rest]) => [made, ...rest], 400, 'broken'],
  ['made-up thinking beside it', (content) => [made, ...content], 400, 'broken'],
])('messages: %s', async (what, change, status, outcome) => {
  const sandbox = `thinking-${what.replaceAll(' ', '-')}`;
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const common = { model: 'practice-1-thinking', max_tokens: 2000, thinking };
  const first = user('Hello');
  const begun = await ask(service, 'messages', { ...common, messages: [first] }, { sandbox });
  const content = change(begun.json.content);
  const messages = [first, { role: 'assistant', content }, user('Go on')];
  const next = await ask(service, 'messages', { ...common, messages }, { sandbox });
  expect(next.status).toBe(status);
  expect(await outcomeIn(sandbox)).toBe(outcome);
});
