/** The same request has the same bytes, in every process. */

import { expect, test } from 'vitest';
import { allKinds, type Kind } from '../../src/areas/llm/streams/broken-stream.js';
import { useService } from '../support/service.js';
import { type Asked, ask, askAt, headersOf, kinds, toolsOf } from './llm.js';

const one = useService();
const other = useService();

/** Removes ids and times. */
const withoutIds = (text: string) =>
  text
    .replace(/"(?:id|item_id|responseId)":"(?!call_|toolu_)[^"]+"/g, '"id"')
    .replace(/"(?:created|created_at|completed_at)":(?:[\d.]+|"[^"]+")/g, '"time"');

const requests = (kind: Kind): readonly Asked[] =>
  [false, true].flatMap((isStream) => [
    { text: 'count to 20', isStream },
    { text: 'What is the weather?', isStream, extra: { tools: toolsOf(kind) } },
  ]);

test.each(allKinds)('%s: two processes send the same, apart from ids and times', async (kind) => {
  for (const asked of requests(kind)) {
    const [left, right] = await Promise.all([askAt(one, kind, asked), askAt(other, kind, asked)]);
    expect(left.status).toBe(200);
    expect(withoutIds(left.text)).toBe(withoutIds(right.text));
  }
});

/** Members of a body that have the seed. The other endpoints have none. */
const seeded = {
  chat: (seed: number) => ({ seed }),
  gemini: (seed: number) => ({ generationConfig: { seed } }),
  ollama: (seed: number) => ({ options: { seed } }),
} as const;

test.each(['chat', 'gemini', 'ollama'] as const)(
  '%s: the seed fixes ids and times',
  async (kind) => {
    const withSeed = (asked: Asked, seed: number): Asked => ({
      ...asked,
      extra: { ...asked.extra, ...seeded[kind](seed) },
    });
    for (const asked of requests(kind)) {
      const [left, right, another] = await Promise.all([
        askAt(one, kind, withSeed(asked, 7)),
        askAt(other, kind, withSeed(asked, 7)),
        askAt(one, kind, withSeed(asked, 8)),
      ]);
      expect(left.status).toBe(200);
      expect(left.text).toBe(right.text);
      // Ollama sends only ids of calls, which follow from the conversation.
      if (kind === 'ollama') expect(left.text).toBe(another.text);
      else expect(left.text).not.toBe(another.text);
    }
  },
);

test.each(['chat', 'gemini', 'ollama'] as const)(
  '%s: a script of a sandbox has the same response in every process',
  async (kind) => {
    const sandbox = `same-${kind}`;
    const turn = {
      ...{ text: 'Half of it', thinking: 'Hm.', usage: { inputTokens: 7, outputTokens: 3 } },
      toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
    };
    const texts: string[] = [];
    for (const service of [one, other]) {
      const json = { turns: [turn, turn] };
      await service.send(`PUT /s/${sandbox}/api/sandbox/llm`, { json });
      for (const isStream of [false, true]) {
        const extra = { tools: toolsOf(kind), ...seeded[kind](7) };
        const { text } = await askAt(service, kind, { text: 'Hi', isStream, extra }, { sandbox });
        expect(text).toContain('Oslo');
        texts.push(text);
      }
    }
    expect(texts.slice(2)).toEqual(texts.slice(0, 2));
  },
);

test('Gemini: signatures are the same in every process', async () => {
  const contents = [{ parts: [{ text: 'Call get_weather.' }] }];
  const generationConfig = { seed: 7, thinkingConfig: { includeThoughts: true } };
  const json = { contents, generationConfig, tools: toolsOf('gemini') };
  const target = 'POST /llm/gemini/v1beta/models/practice-1-thinking:generateContent';
  const headers = headersOf('gemini', {});
  const [left, right] = await Promise.all(
    [one, other].map(({ send }) => send(target, { json, headers })),
  );
  expect(left?.text).toContain('thoughtSignature');
  expect(left?.text).toBe(right?.text);
});

test('thinking and its signature are the same in every process', async () => {
  const sent = kinds.messages.body('Hello', {
    model: 'practice-1-thinking',
    max_tokens: 2000,
    thinking: { type: 'enabled', budget_tokens: 1024 },
  });
  const [left, right] = await Promise.all([
    ask(one, 'messages', sent),
    ask(other, 'messages', sent),
  ]);
  expect(left.json.content[0].type).toBe('thinking');
  expect(left.json.content).toEqual(right.json.content);
});
