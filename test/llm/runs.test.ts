/** Verdicts of a run on right, wrong and unclear clients, and reports of a test that correct them. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { anthropicKey, eventsOf, openaiKey, user } from './llm.js';

const { send } = useService();

interface Step {
  readonly case: string;
  readonly openai: string;
  readonly anthropic: string;
  readonly outcome: string;
  readonly evidence: string;
  readonly observed?: string;
  readonly reported?: string;
}

interface Run {
  readonly sandbox: string;
  readonly location: string;
  readonly step: Step;
}

async function begin(sandbox: string, name: string): Promise<Run> {
  const target = `POST /s/${sandbox}/llm/test-plan/runs`;
  const { headers, json } = await send(target, { json: { cases: [name] } });
  return { sandbox, location: new URL(String(headers.location)).pathname, step: json[0] };
}

async function stepOf({ location }: Run): Promise<Step> {
  return (await send(`GET ${location}`)).json[0];
}

const report = ({ location, step }: Run, outcome: string) =>
  send(`PUT ${location}/${step.case}`, { json: { outcome } });

const body = { model: 'practice-1', stream: true };
const openai = { authorization: `Bearer ${openaiKey}` };
const anthropic = { 'x-api-key': anthropicKey, 'anthropic-version': '2023-06-01' };

async function chat({ step }: Run, messages: readonly object[], more: object = {}) {
  const { pathname } = new URL(`${step.openai}/chat/completions`);
  const { headers, ...extra } = more as { headers?: Record<string, string> };
  const sent = { json: { ...body, messages, ...extra }, headers: { ...openai, ...headers } };
  const response = await send(`POST ${pathname}`, sent);
  return response.text === '' ? '' : textIn(eventsOf(response));
}

const textIn = (events: ReturnType<typeof eventsOf>) =>
  events.map(({ choices }) => choices?.[0]?.delta?.content ?? '').join('');

const message = async ({ step }: Run, messages: readonly object[], more: object = {}) => {
  const { pathname } = new URL(`${step.anthropic}/v1/messages`);
  const json = { ...body, max_tokens: 1000, messages, ...more };
  return eventsOf(await send(`POST ${pathname}`, { json, headers: anthropic }));
};

const question = user('count to 9');
const assistant = (content: unknown) => ({ role: 'assistant', content });

/** Continues a cut chat. */
const continueWith =
  (further: (fragment: string) => readonly object[]) =>
  async (run: Run): Promise<void> => {
    const fragment = await chat(run, [question]);
    await chat(run, [question, ...further(fragment)]);
  };

const tool = { name: 'get_weather', description: 'Weather.' };
const noInput = { ...tool, input_schema: { type: 'object', properties: {} } };
const needed = {
  ...tool,
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const runTool =
  (each: object, result: object) =>
  async (run: Run): Promise<void> => {
    const first = user('Call get_weather.');
    const events = await message(run, [first], { tools: [each] });
    const { content_block: call } = events.find(({ content_block: b }) => b?.type === 'tool_use');
    const { id, name } = call;
    const asked = assistant([{ type: 'tool_use', id, name, input: {} }]);
    const content = [{ type: 'tool_result', tool_use_id: id, ...result }];
    await message(run, [first, asked, { role: 'user', content }], { tools: [each] });
  };

const { json: plan } = { json: [] as { case: string; result?: string }[] };

async function resultOf(name: string): Promise<string> {
  if (plan.length === 0) plan.push(...(await send('GET /llm/test-plan')).json);
  return plan.find((each) => each.case === name)?.result ?? '';
}

const empty = 'empty-arguments-arguments';

const ran =
  (each: object, more: object = {}) =>
  async (run: Run) =>
    runTool(each, { content: `Rain! ${await resultOf(run.step.case)}`, ...more })(run);

type Row = readonly [
  name: string,
  what: string,
  act: (run: Run) => Promise<unknown>,
  outcome: string,
  reported: { readonly handled: string; readonly mishandled: string },
];

/** Outcomes after a report: of an inference, and of a certain observation. */
const open = { handled: 'handled', mishandled: 'mishandled' };
const certain = { handled: 'mishandled', mishandled: 'mishandled' };

const rows: readonly Row[] = [
  [
    'close-text',
    'sends the request again',
    async (run) => {
      await chat(run, [question]);
      await chat(run, [question]);
    },
    'handled',
    open,
  ],
  [
    'close-text',
    'sends it again in its SDK, with another temperature',
    async (run) => {
      await chat(run, [question]);
      const headers = { 'x-stainless-retry-count': '1' };
      await chat(run, [question], { headers, temperature: 0.5 });
    },
    'handled',
    open,
  ],
  [
    'close-text',
    'sends the same prompts together',
    (run) =>
      Promise.all(
        [1, 2, 3].map(() => {
          const { pathname } = new URL(`${run.step.openai}/chat/completions`);
          const json = { ...body, messages: [question] };
          return send(`POST ${pathname}?delay=1`, { json, headers: openai });
        }),
      ),
    'not-reached',
    open,
  ],
  [
    'close-text',
    'sends the same prompt again while the first one streams',
    async (run) => {
      const path = `/s/${run.sandbox}/api/sandbox/llm`;
      const json = { turns: [{ text: 'a b c d e f', pace: { chunkMs: 400 } }] };
      await send(`PUT ${path}`, { json });
      const first = chat(run, [question]);
      await expect.poll(async () => (await send(`GET ${path}`)).json.used).toBe(1);
      await chat(run, [question]);
      await first;
    },
    'not-reached',
    open,
  ],
  [
    'close-text',
    'believes the fragment',
    continueWith((fragment) => [assistant(fragment), user('Thanks')]),
    'mishandled',
    open,
  ],
  [
    'close-text',
    'asks to continue the fragment',
    continueWith((fragment) => [assistant(fragment), user('Mach bitte weiter.')]),
    'either',
    open,
  ],
  [
    'close-text',
    'sends the fragment last, to be continued',
    continueWith((fragment) => [assistant(fragment)]),
    'either',
    open,
  ],
  ['close-text', 'leaves the fragment out', continueWith(() => [user('Thanks')]), 'handled', open],
  ['close-start', 'goes on without a text', continueWith(() => [user('Thanks')]), 'unclear', open],
  [
    'comments-text',
    'believes the whole text',
    continueWith((text) => [assistant(text), user('Thanks')]),
    'handled',
    open,
  ],
  [
    'comments-text',
    'loses a part of the text',
    continueWith((text) => [assistant(text.slice(0, 4)), user('Thanks')]),
    'mishandled',
    open,
  ],
  [empty, 'runs a tool that needs no arguments', ran(noInput), 'either', open],
  [empty, 'runs a tool that needs arguments', ran(needed), 'mishandled', certain],
  [empty, 'reports an error by its mark', ran(needed, { is_error: true }), 'handled', open],
  [
    empty,
    'reports an error in words only',
    runTool(needed, { content: 'Les arguments sont incomplets.' }),
    'unclear',
    open,
  ],
];

test.each(rows.map(([name, what, ...rest], index) => ({ name, what, rest, index })))(
  '$name: a client that $what',
  async ({ name, rest: [act, outcome, reported], index }) => {
    const run = await begin(`runs-${index}`, name);
    await act(run);
    expect(await stepOf(run)).toMatchObject({ outcome });
    for (const [each, expected] of Object.entries(reported)) {
      await report(run, each);
      const { observed = 'not-reached', ...step } = await stepOf(run);
      expect(step).toMatchObject({ outcome: expected, reported: each });
      const isInferred = ['handled', 'mishandled', 'unclear'].includes(outcome);
      if (isInferred) expect(observed).toBe(outcome);
    }
  },
);

test('a blind judge fails the rows', () => {
  const outcomes = rows.map(([, , , outcome]) => outcome);
  expect(new Set(outcomes)).toEqual(
    new Set(['handled', 'mishandled', 'either', 'unclear', 'not-reached']),
  );
});

test('findings agree with the run', async () => {
  for (const [index, [name, , act, outcome]] of rows.entries()) {
    const sandbox = `agree-${index}`;
    const run = await begin(sandbox, name);
    await act(run);
    const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
    const broken = json.rules.filter((each: { outcome: string }) => each.outcome === 'broken');
    const isCertain = rows[index]?.[4] === certain;
    expect([name, outcome, broken.length > 0]).toEqual([name, outcome, isCertain]);
  }
});

test.each(['/v1/messages', '/messages'])('the URL for Anthropic works with %s', async (path) => {
  const { step } = await begin('urls', 'comments-text');
  const { pathname } = new URL(step.anthropic + path);
  const json = { model: 'practice-1', max_tokens: 100, messages: [question] };
  const { status } = await send(`POST ${pathname}`, { json, headers: anthropic });
  expect(status).toBe(200);
  const wrong = await send(`POST ${pathname}`, { json: {}, headers: anthropic });
  expect(wrong.json.type).toBe('error');
});
