/** The rules of the judge, each kept by one client and broken by another. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { ask, eventsOf, headersOf, kinds, type Sent, user } from './llm.js';

const service = useService();
const { send } = service;

const put = (sandbox: string, json: unknown) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });

async function outcomeOf(sandbox: string, rule: string): Promise<string> {
  const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  return json.rules.find((each: { rule: string }) => each.rule === rule).outcome;
}

const chat = (messages: readonly object[], sent: Sent, extra: object = {}) =>
  ask(service, 'chat', { model: 'practice-1', messages, ...extra }, sent);

/** Makes the model call a tool, and returns a result. */
async function runTool(sandbox: string, result: string): Promise<void> {
  const question = user('What is the weather?');
  const { json } = await chat([question], { sandbox }, { tools: kinds.chat.tools });
  const [{ message }] = json.choices;
  const { id } = message.tool_calls[0];
  await chat([question, message, { role: 'tool', tool_call_id: id, content: result }], { sandbox });
}

/** Reads a stream, and returns its text. */
async function readStream(sandbox: string, query: string): Promise<string> {
  const sent = { sandbox, query };
  const response = await chat([user('count to 9')], sent, { stream: true });
  return eventsOf(response)
    .map(({ choices }) => choices?.[0]?.delta.content ?? '')
    .join('');
}

async function cancelAndRead(sandbox: string, reads: number): Promise<void> {
  const sent = kinds.responses.body('Hello', { background: true });
  const { json } = await ask(service, 'responses', sent, { sandbox });
  const headers = headersOf('responses', {});
  const path = `/s/${sandbox}${kinds.responses.path}/${json.id}`;
  await send(`POST ${path}/cancel`, { headers });
  for (let read = 0; read < reads; read++) await send(`GET ${path}`, { headers });
}

/** Sends a message back, with more thinking than it had. */
async function returnThinking(sandbox: string, more: string): Promise<void> {
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  const body = { model: 'practice-1-thinking', max_tokens: 2000, thinking };
  const question = user('Hello');
  const { json } = await ask(service, 'messages', { ...body, messages: [question] }, { sandbox });
  const [first, ...others] = json.content;
  const content = [{ ...first, thinking: first.thinking + more }, ...others];
  const messages = [question, { role: 'assistant', content }, user('Go on')];
  await ask(service, 'messages', { ...body, messages }, { sandbox });
}

const cut = { turns: [{ toolCalls: [{ name: 'get_weather', arguments: '{"city' }] }] };

/** Returns the outcome of a rule after what a client does in its sandbox. */
const clients: Readonly<
  Record<
    string,
    readonly [what: string, outcome: string, act: (sandbox: string) => Promise<unknown>][]
  >
> = {
  'tool-arguments-whole': [
    ['runs a tool from whole arguments', 'kept', (sandbox) => runTool(sandbox, 'Rain.')],
    [
      'runs a tool from cut arguments',
      'broken',
      async (sandbox) => {
        await put(sandbox, cut);
        await runTool(sandbox, 'Deleted.');
      },
    ],
    [
      'reports cut arguments',
      'kept',
      async (sandbox) => {
        await put(sandbox, cut);
        await runTool(sandbox, 'Error: the arguments are no JSON.');
      },
    ],
    [
      'returns an unclear result for cut arguments',
      'not-reached',
      async (sandbox) => {
        await put(sandbox, cut);
        await runTool(sandbox, 'Deleted. 0 failed.');
      },
    ],
  ],
  'tool-ids-pair': [
    ['returns the result of a call', 'kept', (sandbox) => runTool(sandbox, 'Rain.')],
    [
      'returns a result without a call',
      'broken',
      (sandbox) => {
        const result = { role: 'tool', tool_call_id: 'call_0', content: 'Rain.' };
        return chat([user('Hello'), result], { sandbox });
      },
    ],
  ],
  'thinking-unaltered': [
    ['returns thinking with its signature', 'kept', (sandbox) => returnThinking(sandbox, '')],
    ['alters thinking', 'broken', (sandbox) => returnThinking(sandbox, ' More.')],
  ],
  'stops-after-cancel': [
    ['reads a cancelled response once', 'kept', (sandbox) => cancelAndRead(sandbox, 1)],
    ['reads a cancelled response on and on', 'broken', (sandbox) => cancelAndRead(sandbox, 4)],
  ],
  'key-not-in-url': [
    ['sends the key in a header', 'kept', (sandbox) => chat([user('Hello')], { sandbox })],
    [
      'sends the key in the query',
      'broken',
      (sandbox) => chat([user('Hello')], { sandbox, query: '?api_key=sk-practice-openai' }),
    ],
  ],
  'stops-at-error': [
    [
      'sends the request again',
      'kept',
      async (sandbox) => {
        await readStream(sandbox, '?misbehave=error-event&at=text');
        await readStream(sandbox, '');
      },
    ],
    [
      'continues with the fragment',
      'broken',
      async (sandbox) => {
        const content = await readStream(sandbox, '?misbehave=error-event&at=text');
        const fragment = { role: 'assistant', content };
        await chat([user('count to 9'), fragment, user('Continue')], { sandbox });
      },
    ],
  ],
  'no-retry-after-content': [
    [
      'lets the user repeat a stream',
      'kept',
      async (sandbox) => {
        await readStream(sandbox, '?misbehave=close&at=text');
        await readStream(sandbox, '');
      },
    ],
    [
      'repeats a stream automatically',
      'broken',
      async (sandbox) => {
        await readStream(sandbox, '?misbehave=close&at=text');
        const headers = { 'x-stainless-retry-count': '1' };
        await chat([user('count to 9')], { sandbox, headers }, { stream: true });
      },
    ],
  ],
};

const rows = Object.entries(clients).flatMap(([rule, all]) =>
  all.map(([what, outcome, act]) => ({ rule, what, outcome, act })),
);

test.each(rows)(
  '$rule is $outcome by a client that $what',
  async ({ rule, outcome, what, act }) => {
    const sandbox = `${rule}-${outcome}-${what.length}`;
    await act(sandbox);
    expect(await outcomeOf(sandbox, rule)).toBe(outcome);
  },
);

test('a user may repeat by hand what must not be retried', async () => {
  const sandbox = 'by-hand';
  await put(sandbox, { turns: [{ fault: { status: 500, shouldRetry: false } }] });
  await chat([user('Hello')], { sandbox });
  await chat([user('Hello')], { sandbox });
  expect(await outcomeOf(sandbox, 'waits-as-told')).toBe('not-reached');
});
