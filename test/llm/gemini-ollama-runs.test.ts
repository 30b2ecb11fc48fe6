/** Verdicts of a run on right, wrong and unclear clients of Gemini and Ollama, and reports that correct them. */

import { describe, expect, test } from 'vitest';
import { afterCrossing } from '../support/create-service.js';
import { useService } from '../support/service.js';
import { type TalkName, type TalkOptions, talks, textOf } from './support/talk.js';

const { send } = useService();

interface Step {
  readonly case: string;
  readonly gemini: string;
  readonly ollama: string;
  readonly outcome: string;
  readonly observed?: string;
  readonly reported?: string;
}

interface Run {
  readonly name: TalkName;
  readonly sandbox: string;
  readonly location: string;
  readonly step: Step;
}

async function begin(name: TalkName, sandbox: string, of: string): Promise<Run> {
  const target = `POST /s/${sandbox}/llm/test-plan/runs`;
  const { headers, json } = await send(target, { json: { cases: [of] } });
  return { name, sandbox, location: new URL(String(headers.location)).pathname, step: json[0] };
}

async function stepOf({ location }: Run): Promise<Step> {
  return (await send(`GET ${location}`)).json[0];
}

async function say(run: Run, turns: readonly object[], options: TalkOptions = {}) {
  const { path, headers, body } = talks[run.name];
  const { pathname } = new URL(run.step[run.name]);
  const json = body(turns, { isStream: true, ...options });
  await afterCrossing();
  return send(`POST ${pathname}${path(true)}`, { json, headers });
}

type Act = (run: Run) => Promise<unknown>;

const prompt = 'count to 9';

/** Continues a stream. */
const continueWith =
  (further: (name: TalkName, fragment: string) => readonly object[]): Act =>
  async (run) => {
    const question = talks[run.name].user(prompt);
    const fragment = textOf(run.name, await say(run, [question]));
    await say(run, [question, ...further(run.name, fragment)]);
  };

const withReply = (text: string) => (name: TalkName, fragment: string) => [
  ...[talks[name].model(fragment), talks[name].user(text)],
];
const thanks = (name: TalkName) => [talks[name].user('Thanks')];

const tool = 'get_weather';
const needed = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
const none = { type: 'object', properties: {} };

async function resultOf(name: string): Promise<string> {
  const { json } = await send('GET /llm/test-plan');
  return json.find((each: { case: string }) => each.case === name).result;
}

/** Runs the tool of a case, or says in other words that it did not. */
const runTool =
  (parameters: object, { words = '', isError = false } = {}): Act =>
  async (run) => {
    const { user, call, result, tool: described } = talks[run.name];
    const tools = [described(tool, parameters)];
    const question = user('Call get_weather.');
    await say(run, [question], { tools });
    const text = words || (await resultOf(run.step.case));
    const called = call({ name: tool, args: {} });
    await say(run, [question, called, result(tool, text, isError)], { tools });
  };

interface Row {
  readonly of: string;
  readonly what: string;
  readonly act: Act;
  readonly outcome: string;
  /** Whether no report overrides it. */
  readonly isCertain?: true;
}

const odd = { gemini: 'comments-text', ollama: 'blank-lines-start' };
const empty = 'empty-arguments-arguments';
const cut = 'cut-arguments-arguments';

const ofBoth = (name: TalkName): readonly Row[] => [
  {
    ...{ of: 'close-text', what: 'sends the request again', outcome: 'handled' },
    async act(run) {
      for (let time = 0; time < 2; time++) await say(run, [talks[run.name].user(prompt)]);
    },
  },
  {
    ...{ of: 'close-text', what: 'sends it again with a seed', outcome: 'handled' },
    async act(run) {
      await say(run, [talks[run.name].user(prompt)]);
      await say(run, [talks[run.name].user(prompt)], { seed: 7 });
    },
  },
  {
    ...{ of: 'close-text', what: 'only sends it once', outcome: 'not-reached' },
    act: (run) => say(run, [talks[run.name].user(prompt)]),
  },
  {
    ...{ of: 'close-text', what: 'believes the fragment', outcome: 'mishandled' },
    act: continueWith(withReply('Thanks')),
  },
  {
    ...{ of: 'close-text', what: 'asks to continue the fragment', outcome: 'either' },
    act: continueWith(withReply('Mach bitte weiter.')),
  },
  {
    ...{ of: 'close-text', what: 'sends the fragment last, to be continued', outcome: 'either' },
    act: continueWith((own, text) => [talks[own].model(text)]),
  },
  {
    ...{ of: 'close-text', what: 'leaves the fragment out', outcome: 'handled' },
    act: continueWith(thanks),
  },
  {
    ...{ of: 'close-start', what: 'goes on without a text', outcome: 'unclear' },
    act: continueWith(thanks),
  },
  {
    ...{ of: 'close-arguments', what: 'goes on without a call', outcome: 'unclear' },
    async act(run) {
      const { user, tool: described } = talks[run.name];
      const tools = [described(tool, needed)];
      const question = user('Call get_weather.');
      await say(run, [question], { tools });
      await say(run, [question, user('Thanks')], { tools });
    },
  },
  {
    ...{ of: odd[name], what: 'believes the whole text', outcome: 'handled' },
    act: continueWith(withReply('Thanks')),
  },
  {
    ...{ of: odd[name], what: 'loses a part of the text', outcome: 'mishandled' },
    act: continueWith((own, text) => withReply('Thanks')(own, text.slice(0, 4))),
  },
  {
    ...{ of: empty, what: 'runs a tool that needs no arguments', outcome: 'either' },
    act: runTool(none),
  },
  {
    ...{ of: empty, what: 'runs a tool that needs arguments', outcome: 'mishandled' },
    ...{ act: runTool(needed), isCertain: true },
  },
  {
    ...{ of: cut, what: 'runs a tool from cut arguments', outcome: 'mishandled' },
    ...{ act: runTool(needed), isCertain: true },
  },
  {
    ...{ of: cut, what: 'reports an error in words only', outcome: 'unclear' },
    act: runTool(needed, { words: 'Les arguments sont incomplets.' }),
  },
];

const rows: Readonly<Record<TalkName, readonly Row[]>> = {
  gemini: [
    ...ofBoth('gemini'),
    {
      ...{ of: cut, what: 'reports an error by its member', outcome: 'handled' },
      act: runTool(needed, { isError: true }),
    },
  ],
  ollama: ofBoth('ollama'),
};

describe.each(Object.keys(rows) as TalkName[])('%s:', (name) => {
  const own = rows[name].map((row, index) => ({ ...row, index }));

  test.each(own)(
    '$of: a client that $what is $outcome',
    async ({ of, act, outcome, isCertain, index }) => {
      const sandbox = `run-${name}-${index}`;
      const run = await begin(name, sandbox, of);
      await act(run);
      expect(await stepOf(run)).toMatchObject({ outcome });
      const { json } = await send(`GET /s/${sandbox}/api/sandbox/llm/findings`);
      const broken = json.rules.filter((each: { outcome: string }) => each.outcome === 'broken');
      expect(broken.length > 0, 'findings agree with the run').toBe(isCertain === true);
      for (const reported of ['handled', 'mishandled']) {
        const report = { json: { outcome: reported } };
        await send(`PUT ${run.location}/${of}`, report);
        const step = await stepOf(run);
        expect(step).toMatchObject({ outcome: isCertain ? outcome : reported, reported });
        const isInferred = outcome !== 'not-reached' && outcome !== 'either';
        if (isInferred) expect(step.observed).toBe(outcome);
      }
    },
  );

  test('a blind judge fails the rows', () => {
    const outcomes = new Set(rows[name].map(({ outcome }) => outcome));
    expect(outcomes).toEqual(
      new Set(['handled', 'mishandled', 'either', 'unclear', 'not-reached']),
    );
  });
});
