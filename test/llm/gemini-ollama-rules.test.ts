/** Right, wrong and unclear clients of Gemini and Ollama for each rule that applies to them. */

import { describe, expect, test } from 'vitest';
import { afterCrossing } from '../support/create-service.js';
import { useService } from '../support/service.js';
import { type TalkName, type TalkOptions, talks, textOf } from './support/talk.js';

const service = useService();
const { send } = service;

const put = (sandbox: string, json: unknown) => send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });

async function outcomeOf(sandbox: string, rule: string): Promise<string> {
  const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
  return json.rules.find((each: { rule: string }) => each.rule === rule).outcome;
}

interface Options extends TalkOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends turns to a provider, in a sandbox. */
async function say(
  name: TalkName,
  sandbox: string,
  turns: readonly object[],
  options: Options = {},
) {
  const { path, headers, body } = talks[name];
  const { isStream = false, query = '', headers: own = headers } = options;
  const below = path(isStream);
  const target = `/s/${sandbox}/llm/${name}${below}${query && (below.includes('?') ? '&' : '?')}${query}`;
  await afterCrossing();
  return send(`POST ${target}`, { json: body(turns, options), headers: own });
}

const tool = 'get_weather';
const needed = {
  ...{ type: 'object', required: ['city'] },
  properties: { city: { type: 'string' } },
};
const none = { type: 'object', properties: {} };

interface Client {
  readonly name: TalkName;
  readonly sandbox: string;
}
type Act = (client: Client) => Promise<unknown>;

/** Makes the model call a tool, and returns a result. */
const runTool =
  (text: string, { isError = false, parameters = needed as object } = {}): Act =>
  async ({ name, sandbox }) => {
    const { user, call, result, tool: described } = talks[name];
    const tools = [described(tool, parameters)];
    const question = user('Call get_weather.');
    const first = await say(name, sandbox, [question], { tools });
    expect(first.text).toContain(tool);
    const called = call({ name: tool, args: {} });
    await say(name, sandbox, [question, called, result(tool, text, isError)], { tools });
  };

const cut = (given: string) => ({
  turns: [{ toolCalls: [{ name: tool, arguments: given, result: 'A7' }] }],
});

const after =
  (script: object, act: Act): Act =>
  async (client) => {
    await put(client.sandbox, script);
    await act(client);
  };

const wait =
  (offsetSeconds: number): Act =>
  ({ sandbox }) =>
    send(`PUT /s/${sandbox}/api/sandbox/clock`, { json: { offsetSeconds } });

const overloaded = { turns: [{ fault: { status: 503, retryAfter: 30 } }] };

/** Sends the same prompt twice. */
const twice =
  (between?: Act, then: Options = {}): Act =>
  async (client) => {
    const { name, sandbox } = client;
    const turns = [talks[name].user('Hello')];
    await say(name, sandbox, turns);
    await between?.(client);
    await say(name, sandbox, turns, then);
  };

/** Breaks a stream, and continues with something. */
const continueAfter =
  (further: (name: TalkName, fragment: string) => readonly object[]): Act =>
  async ({ name, sandbox }) => {
    const question = talks[name].user('count to 9');
    const query = 'misbehave=error-event&at=text';
    const broken = await say(name, sandbox, [question], { isStream: true, query });
    expect(broken.headers['x-simulated']).toBe('true');
    const fragment = textOf(name, broken);
    expect(fragment).toMatch(/^1, 2/);
    await say(name, sandbox, [question, ...further(name, fragment)]);
  };

/** Closes a stream, and sends the request again. */
const closeAndRepeat: Act = async ({ name, sandbox }) => {
  await put(sandbox, { turns: [{ text: 'a b c d e f', pace: { chunkMs: 300 } }] });
  const { path, headers, body, user } = talks[name];
  const controller = new AbortController();
  const response = await fetch(`${service.url}/s/${sandbox}/llm/${name}${path(true)}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body([user('Go')], { isStream: true })),
    signal: controller.signal,
  });
  await response.body?.getReader().read();
  controller.abort();
  const status = () => send(`GET /s/${sandbox}/api/sandbox/llm`);
  await expect.poll(async () => (await status()).json.cancelled).toBe(1);
  await say(name, sandbox, [user('Go')], { isStream: true });
};

const thanks = (name: TalkName) => talks[name].user('Thanks');

/** Sends a call of a model that thinks back, with a changed part. */
const returnSignature =
  (change: (part: Readonly<Record<string, unknown>>) => object): Act =>
  async ({ sandbox }) => {
    const { user, result, tool: described, headers } = talks.gemini;
    const target = `POST /s/${sandbox}/llm/gemini/v1beta/models/practice-1-thinking:generateContent`;
    const tools = [described(tool, needed)];
    const question = user('Call get_weather.');
    const { json } = await send(target, { json: { contents: [question], tools }, headers });
    const [part] = json.candidates[0].content.parts;
    expect(part).toHaveProperty('thoughtSignature');
    const returned = { role: 'model', parts: [change(part)] };
    const contents = [question, returned, result(tool, 'Rain.')];
    await afterCrossing();
    await send(target, { json: { contents, tools }, headers });
  };

type Row = readonly [rule: string, what: string, outcome: string, act: Act];

const ofBoth: readonly Row[] = [
  ['tool-arguments-whole', 'runs a tool from whole arguments', 'kept', runTool('Rain.')],
  [
    'tool-arguments-whole',
    'runs a tool without parameters from empty arguments',
    'kept',
    after(cut(''), runTool('Rain, A7.', { parameters: none })),
  ],
  [
    'tool-arguments-whole',
    'runs a tool from cut arguments',
    'broken',
    after(cut('{"city'), runTool('Deleted, A7.')),
  ],
  [
    'tool-arguments-whole',
    'runs a tool from empty arguments that it needs',
    'broken',
    after(cut(''), runTool('Rain, A7.')),
  ],
  [
    'tool-arguments-whole',
    'returns another text for cut arguments',
    'unclear',
    after(cut('{"city'), runTool('Die Argumente sind kein JSON.')),
  ],
  ['tool-ids-pair', 'returns the result of a call', 'kept', runTool('Rain.')],
  ['waits-as-told', 'waits', 'kept', after(overloaded, twice(wait(31)))],
  [
    'waits-as-told',
    'repeats at once, as no documentation forbids',
    'unclear',
    after(overloaded, twice()),
  ],
  [
    'waits-as-told',
    'asks with another seed',
    'unclear',
    after(overloaded, twice(undefined, { seed: 7 })),
  ],
  [
    'waits-as-told',
    'asks something else meanwhile',
    'not-reached',
    after(overloaded, async ({ name, sandbox }) => {
      for (const text of ['Hello', 'Another']) await say(name, sandbox, [talks[name].user(text)]);
    }),
  ],
  [
    'stops-at-error',
    'sends the request again',
    'kept',
    async ({ name, sandbox }) => {
      const turns = [talks[name].user('count to 9')];
      const query = 'misbehave=error-event&at=text';
      await say(name, sandbox, turns, { isStream: true, query });
      await say(name, sandbox, turns, { isStream: true });
    },
  ],
  [
    'stops-at-error',
    'goes on without the fragment',
    'kept',
    continueAfter((name) => [talks[name].user('Again')]),
  ],
  [
    'stops-at-error',
    'goes on with the fragment as an answer',
    'against-advice',
    continueAfter((name, text) => [talks[name].model(text), thanks(name)]),
  ],
  [
    'stops-at-error',
    'asks to continue the fragment',
    'unclear',
    continueAfter((name, text) => [talks[name].model(text), talks[name].user('Weiter, bitte')]),
  ],
  ['no-retry-after-content', 'closes a stream, and repeats it by hand', 'kept', closeAndRepeat],
];

const ofGemini: readonly Row[] = [
  [
    'tool-arguments-whole',
    'reports cut arguments as an error',
    'kept',
    after(cut('{"city'), runTool('A7', { isError: true })),
  ],
  [
    'tool-ids-pair',
    'returns a response without a call',
    'broken',
    ({ name, sandbox }) =>
      say(name, sandbox, [talks.gemini.user('Hello'), talks.gemini.result(tool, 'Rain.')]),
  ],
  [
    'tool-ids-pair',
    'returns no response to a call',
    'broken',
    ({ name, sandbox }) =>
      say(name, sandbox, [
        talks.gemini.user('Hello'),
        talks.gemini.call({ name: tool, args: {} }),
        thanks(name),
      ]),
  ],
  ['thinking-unaltered', 'returns a signature', 'kept', returnSignature((part) => part)],
  [
    'thinking-unaltered',
    'skips the check by the documented value',
    'kept',
    returnSignature((part) => ({ ...part, thoughtSignature: 'skip_thought_signature_validator' })),
  ],
  [
    'thinking-unaltered',
    'alters a signature',
    'broken',
    returnSignature((part) => ({ ...part, thoughtSignature: 'YWx0ZXJlZA==' })),
  ],
  [
    'thinking-unaltered',
    'alters the call that is signed',
    'broken',
    returnSignature((part) => ({ ...part, functionCall: { name: tool, args: { city: 'Rome' } } })),
  ],
  [
    'thinking-unaltered',
    'loses a signature',
    'broken',
    returnSignature(({ thoughtSignature: _, ...part }) => part),
  ],
  [
    'waits-as-told',
    'repeats at once after a limit, whose wait is in the body',
    'not-reached',
    after({ limits: { requestsPerMinute: 1 } }, async (client) => {
      await twice()(client);
      await twice()(client);
    }),
  ],
  [
    'key-not-in-url',
    'sends the key in a header',
    'kept',
    ({ name, sandbox }) => say(name, sandbox, [talks.gemini.user('Hello')]),
  ],
  [
    'key-not-in-url',
    'sends the key in a header, and something else as key',
    'kept',
    ({ name, sandbox }) => say(name, sandbox, [talks.gemini.user('Hello')], { query: 'key=name' }),
  ],
  [
    'waits-as-told',
    'requests a stream instead, whose path is another',
    'unclear',
    after(overloaded, async ({ name, sandbox }) => {
      const turns = [talks.gemini.user('Hello')];
      await say(name, sandbox, turns);
      await say(name, sandbox, turns, { isStream: true });
    }),
  ],
  [
    'key-not-in-url',
    'sends the key in the query',
    'broken',
    ({ name, sandbox }) =>
      say(name, sandbox, [talks.gemini.user('Hello')], {
        ...{ query: 'key=sk-practice-gemini', headers: {} },
      }),
  ],
];

const ofOllama: readonly Row[] = [
  [
    'tool-ids-pair',
    'returns a result without a call, which the provider accepts',
    'not-reached',
    ({ name, sandbox }) =>
      say(name, sandbox, [talks.ollama.user('Hello'), talks.ollama.result(tool, 'Rain.')]),
  ],
  [
    'waits-as-told',
    'waits after a limit',
    'kept',
    after({ limits: { requestsPerMinute: 1 } }, async (client) => {
      await twice()(client);
      await wait(61)(client);
      await twice()(client);
    }),
  ],
  [
    'key-not-in-url',
    'has a key in the query, although there are none',
    'not-reached',
    ({ name, sandbox }) =>
      say(name, sandbox, [talks.ollama.user('Hello')], { query: 'key=sk-practice-gemini' }),
  ],
];

const all = { gemini: [...ofBoth, ...ofGemini], ollama: [...ofBoth, ...ofOllama] };

describe.each(Object.keys(all) as TalkName[])('%s:', (name) => {
  const rows = all[name].map(([rule, what, outcome, act], index) => ({
    ...{ rule, what, outcome, act, index },
  }));

  test.each(rows)(
    '$rule is $outcome by a client that $what',
    async ({ rule, outcome, act, index }) => {
      const sandbox = `${name}-${rule}-${index}`;
      await act({ name, sandbox });
      expect(await outcomeOf(sandbox, rule)).toBe(outcome);
    },
  );

  test('the clients tell a blind judge', () => {
    const outcomes = new Set(all[name].map(([, , outcome]) => outcome));
    expect(outcomes).toEqual(
      new Set(['kept', 'broken', 'unclear', 'not-reached', 'against-advice']),
    );
  });
});
