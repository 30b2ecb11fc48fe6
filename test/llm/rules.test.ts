/** Right, wrong and unclear clients for each rule. */

import { expect, test } from 'vitest';
import { clientRules } from '../../src/areas/llm/judge/rules.js';
import { afterCrossing } from '../support/create-service.js';
import { useService } from '../support/service.js';
import { ask as askAtOnce, eventsOf, headersOf, kinds, type Sent, user } from './llm.js';

const ask: typeof askAtOnce = async (...parts) => {
  await afterCrossing();
  return askAtOnce(...parts);
};

const service = useService();
const { send } = service;

const put = (sandbox: string, json: unknown) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });

async function outcomeOf(sandbox: string, rule: string): Promise<string> {
  const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  return json.rules.find((each: { rule: string }) => each.rule === rule).outcome;
}

const chat = (messages: readonly object[], sent: Sent, extra: object = {}) =>
  ask(service, 'chat', { model: 'practice-1', messages, ...extra }, sent);

const question = user('What is the weather?');
const { tools } = kinds.chat;

/** Makes the model call a tool, and returns a result. */
async function runTool(sandbox: string, result: string): Promise<void> {
  const { json } = await chat([question], { sandbox }, { tools });
  const [{ message }] = json.choices;
  const { id } = message.tool_calls[0];
  await chat([question, message, { role: 'tool', tool_call_id: id, content: result }], { sandbox });
}

/** The same at Anthropic. */
async function useTool(sandbox: string, result: object, tool = kinds.messages.tools[0]) {
  const body = { model: 'practice-1', max_tokens: 1000, tools: [tool] };
  const { json } = await ask(service, 'messages', { ...body, messages: [question] }, { sandbox });
  const call = json.content.find(({ type }: { type: string }) => type === 'tool_use');
  const content = [{ type: 'tool_result', tool_use_id: call.id, ...result }];
  const messages = [question, { role: 'assistant', content: json.content }];
  await ask(
    service,
    'messages',
    { ...body, messages: [...messages, { role: 'user', content }] },
    { sandbox },
  );
}

/** Reads a stream, and returns its text. */
async function readStream(sandbox: string, query: string): Promise<string> {
  const sent = { sandbox, query };
  const response = await chat([user('count to 9')], sent, { stream: true });
  return eventsOf(response)
    .map(({ choices }) => choices?.[0]?.delta.content ?? '')
    .join('');
}

/** Begins a slow stream that breaks, and sends its prompt once more meanwhile. */
async function overlapStreams(sandbox: string): Promise<void> {
  await put(sandbox, { turns: [{ text: 'a b c d e f', pace: { chunkMs: 400 } }] });
  const isUsed = async () => (await send(`GET /s/${sandbox}/api/sandbox/llm`)).json.used;
  const first = readStream(sandbox, '?misbehave=error-event&at=text');
  await expect.poll(isUsed).toBe(1);
  await readStream(sandbox, '');
  await first;
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

async function returnReasoning(sandbox: string, change: object): Promise<void> {
  const body = { model: 'practice-1-thinking', include: ['reasoning.encrypted_content'] };
  const first = user('Hello');
  const { json } = await ask(service, 'responses', { ...body, input: [first] }, { sandbox });
  const [reasoning, message] = json.output;
  const input = [first, { ...reasoning, ...change }, message, user('Go on')];
  await ask(service, 'responses', { ...body, input }, { sandbox });
}

const cut = (result?: string, given = '{"city') => ({
  turns: [{ toolCalls: [{ name: 'get_weather', arguments: given, ...(result && { result }) }] }],
});

type Act = (sandbox: string) => Promise<unknown>;

/** Runs a client after a script. */
const after =
  (script: object, act: Act): Act =>
  async (sandbox) => {
    await put(sandbox, script);
    await act(sandbox);
  };

/** Sends a prompt whose response a fault plan holds back, and sends it again. */
const afterDelay =
  (isLeaving: boolean): Act =>
  async (sandbox) => {
    const rules = [{ match: { path: kinds.chat.path }, sequence: [{ delayMs: 1000 }] }];
    await send(`PUT /s/${sandbox}/api/sandbox/faults`, { json: { rules } });
    if (isLeaving) await leave(sandbox);
    else await chat([user('Hello')], { sandbox });
    await chat([user('Hello')], { sandbox });
  };

/** Sends a prompt, and leaves before the response. */
async function leave(sandbox: string): Promise<void> {
  const response = fetch(`${service.url}/s/${sandbox}${kinds.chat.path}`, {
    method: 'POST',
    headers: { ...headersOf('chat', {}), 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'practice-1', messages: [user('Hello')] }),
    signal: AbortSignal.timeout(300),
  });
  await expect(response).rejects.toThrow();
}

const overloaded = (count: number) => ({
  turns: Array.from({ length: count }, () => ({ fault: { status: 529, retryAfter: 30 } })),
});

/** Sends the same prompt twice, the second time with something else. */
const twice =
  (then: object = {}, between?: Act): Act =>
  async (sandbox) => {
    await chat([user('Hello')], { sandbox });
    await between?.(sandbox);
    const { headers, ...body } = then as { headers?: Record<string, string> };
    await chat([user('Hello')], { sandbox, ...(headers && { headers }) }, body);
  };

const wait = (seconds: number): Act => {
  const json = { offsetSeconds: seconds };
  return (sandbox) => send(`PUT /s/${sandbox}/api/sandbox/clock`, { json });
};

/** Breaks a stream, and continues with something. */
const continueAfter =
  (misbehave: string, further: (content: string) => readonly object[]): Act =>
  async (sandbox) => {
    const content = await readStream(sandbox, `?misbehave=${misbehave}&at=text`);
    await chat([user('count to 9'), ...further(content)], { sandbox });
  };

const assistant = (content: string) => ({ role: 'assistant', content });
const automatic = { headers: { 'x-stainless-retry-count': '1' } };

/** Closes a stream, and sends the request again. */
const closeAndRepeat =
  (headers: Readonly<Record<string, string>>): Act =>
  async (sandbox) => {
    await put(sandbox, { turns: [{ text: 'a b c d e f', pace: { chunkMs: 300 } }] });
    const controller = new AbortController();
    const { signal } = controller;
    const body = { model: 'practice-1', messages: [user('Go')], stream: true };
    const url = `${service.url}/s/${sandbox}${kinds.chat.path}`;
    const init = { method: 'POST', body: JSON.stringify(body), signal };
    const type = { 'Content-Type': 'application/json' };
    const response = await fetch(url, { ...init, headers: { ...headersOf('chat', {}), ...type } });
    await response.body?.getReader().read();
    controller.abort();
    const status = () => send(`GET /s/${sandbox}/api/sandbox/llm`);
    await expect.poll(async () => (await status()).json.cancelled).toBe(1);
    await ask(service, 'chat', body, { sandbox, headers });
  };

type Row = readonly [what: string, outcome: string, act: Act];

const clients: Readonly<Record<string, readonly Row[]>> = {
  'tool-arguments-whole': [
    ['runs a tool from whole arguments', 'kept', (sandbox) => runTool(sandbox, 'Rain.')],
    [
      'runs a tool with whole arguments that fails',
      'kept',
      (sandbox) => useTool(sandbox, { content: 'A7', is_error: true }),
    ],
    [
      'reports cut arguments as an error',
      'kept',
      after(cut('A7'), (sandbox) => useTool(sandbox, { content: 'Rejected', is_error: true })),
    ],
    [
      'runs a tool without parameters from empty arguments',
      'kept',
      after(cut('A7', ''), (sandbox) =>
        useTool(sandbox, { content: 'Rain, A7.' }, {
          ...kinds.messages.tools[0],
          input_schema: { type: 'object', properties: {} },
        } as never),
      ),
    ],
    [
      'runs a tool from cut arguments',
      'broken',
      after(cut('A7'), (sandbox) => runTool(sandbox, 'Deleted, A7.')),
    ],
    [
      'runs a tool from empty arguments that it needs',
      'broken',
      after(cut('A7', ''), (sandbox) => useTool(sandbox, { content: 'Rain, A7.' })),
    ],
    [
      'returns another text for cut arguments',
      'unclear',
      after(cut('A7'), (sandbox) => runTool(sandbox, 'Die Argumente sind kein JSON.')),
    ],
    [
      'returns a result that no script names',
      'unclear',
      after(cut(), (sandbox) => runTool(sandbox, 'Deleted.')),
    ],
  ],
  'tool-ids-pair': [
    ['returns the result of a call', 'kept', (sandbox) => runTool(sandbox, 'Rain.')],
    [
      'returns the result of a call at Anthropic',
      'kept',
      (sandbox) => useTool(sandbox, { content: 'Rain.' }),
    ],
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
    ['sends encrypted reasoning back', 'kept', (sandbox) => returnReasoning(sandbox, {})],
    ['alters thinking', 'broken', (sandbox) => returnThinking(sandbox, ' More.')],
    [
      'alters reasoning',
      'broken',
      (sandbox) => returnReasoning(sandbox, { encrypted_content: 'altered' }),
    ],
    [
      'sends reasoning that may have been stored',
      'unclear',
      (sandbox) => returnReasoning(sandbox, { id: 'rs_1', encrypted_content: null }),
    ],
  ],
  'waits-as-told': [
    ['waits', 'kept', after(overloaded(1), twice({}, wait(30)))],
    ['waits in its SDK', 'kept', after(overloaded(1), twice(automatic, wait(31)))],
    [
      'asks something else meanwhile',
      'not-reached',
      after(overloaded(1), async (sandbox) => {
        await chat([user('Hello')], { sandbox });
        await chat([user('Another')], { sandbox });
      }),
    ],
    [
      'sends the same prompts together',
      'not-reached',
      after(overloaded(2), (sandbox) => {
        const sent = { sandbox, query: '?delay=1' };
        return Promise.all([1, 2, 3].map(() => chat([user('Hello')], sent)));
      }),
    ],
    ['leaves before a delayed error', 'not-reached', after(overloaded(1), afterDelay(true))],
    ['repeats at once', 'broken', after(overloaded(1), twice())],
    ['repeats a delayed error at once', 'broken', after(overloaded(1), afterDelay(false))],
    [
      'repeats what must not be retried',
      'broken',
      after({ turns: [{ fault: { status: 500, shouldRetry: false } }] }, twice(automatic)),
    ],
    [
      'repeats by hand what must not be retried',
      'not-reached',
      after({ turns: [{ fault: { status: 500, shouldRetry: false } }] }, twice()),
    ],
    ['asks with another seed', 'unclear', after(overloaded(1), twice({ seed: 7 }))],
    [
      'asks with one turn more',
      'unclear',
      after(overloaded(1), async (sandbox) => {
        await chat([user('Hello')], { sandbox });
        await chat([user('Hello'), assistant('Hi'), user('Go on')], { sandbox });
      }),
    ],
  ],
  'stops-after-cancel': [
    ['reads a cancelled response once', 'kept', (sandbox) => cancelAndRead(sandbox, 1)],
    ['reads a cancelled response thrice', 'kept', (sandbox) => cancelAndRead(sandbox, 3)],
    [
      'reads a cancelled response on and on',
      'against-advice',
      (sandbox) => cancelAndRead(sandbox, 4),
    ],
  ],
  'key-not-in-url': [
    ['sends the key in a header', 'kept', (sandbox) => chat([user('Hello')], { sandbox })],
    [
      'sends the key as a bearer token of Anthropic',
      'kept',
      (sandbox) => {
        const headers = {
          'anthropic-version': '2023-06-01',
          authorization: 'Bearer sk-practice-anthropic',
        };
        const json = kinds.messages.body('Hello');
        return send(`POST /s/${sandbox}${kinds.messages.path}`, { json, headers });
      },
    ],
    [
      'sends the key in the query',
      'broken',
      (sandbox) => chat([user('Hello')], { sandbox, query: '?api_key=sk-practice-openai' }),
    ],
    [
      'sends the key in a parameter with another name',
      'broken',
      (sandbox) => chat([user('Hello')], { sandbox, query: '?token=sk-practice-openai' }),
    ],
    [
      'sends something else as key to OpenAI',
      'kept',
      (sandbox) => chat([user('Hello')], { sandbox, query: '?key=name&key=other' }),
    ],
    [
      'sends something else as key to Anthropic',
      'kept',
      (sandbox) => {
        const { path, body } = kinds.messages;
        const headers = { 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-practice-anthropic' };
        return send(`POST /s/${sandbox}${path}?key=name`, { json: body('Hello'), headers });
      },
    ],
    [
      'sends an empty api_key',
      'kept',
      (sandbox) => chat([user('Hello')], { sandbox, query: '?api_key=' }),
    ],
    [
      'sends a key of a gateway, and the right one in a header',
      'unclear',
      (sandbox) => chat([user('Hello')], { sandbox, query: '?api-key=of-the-gateway' }),
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
    ['sends the same prompt twice, before the stream breaks', 'not-reached', overlapStreams],
    ['goes on without the fragment', 'kept', continueAfter('error-event', () => [user('Again')])],
    [
      'goes on with the fragment as an answer',
      'against-advice',
      continueAfter('error-event', (content) => [assistant(content), user('Thanks')]),
    ],
    [
      'asks to continue the fragment',
      'unclear',
      continueAfter('error-event', (content) => [assistant(content), user('Weiter, bitte')]),
    ],
    [
      'sends the fragment last',
      'unclear',
      continueAfter('error-event', (content) => [assistant(content)]),
    ],
  ],
  'no-retry-after-content': [
    ['closes a stream, and repeats it by hand', 'kept', closeAndRepeat({})],
    [
      'repeats a broken stream in its SDK, as the plan says',
      'not-reached',
      async (sandbox) => {
        await readStream(sandbox, '?misbehave=close&at=text');
        await chat([user('count to 9')], { sandbox, ...automatic }, { stream: true });
      },
    ],
    [
      'closes a stream, and repeats it automatically',
      'against-advice',
      closeAndRepeat(automatic.headers),
    ],
  ],
};

const rows = Object.entries(clients).flatMap(([rule, all]) =>
  all.map(([what, outcome, act], index) => ({ rule, what, outcome, act, index })),
);

test.each(rows)('$rule is $outcome by a client that $what', async (row) => {
  const { rule, outcome, act, index } = row;
  const sandbox = `${rule}-${index}`;
  await act(sandbox);
  const own = await outcomeOf(sandbox, rule);
  expect(own).toBe(outcome);
});

/** A judge that blames no client, or all, fails the rows of each rule. */
test.each(clientRules)('the clients of $name tell a blind judge', ({ name, level }) => {
  const outcomes = (clients[name] ?? []).map(([, outcome]) => outcome);
  const isBlame = (outcome: string) => outcome === 'broken' || outcome === 'against-advice';
  expect(outcomes.filter(isBlame)).not.toEqual([]);
  expect(outcomes.filter((outcome) => !isBlame(outcome)).length).toBeGreaterThanOrEqual(2);
  expect(outcomes.includes('broken')).toBe(level === 'must');
});
