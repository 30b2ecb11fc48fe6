/** The same request has the same bytes, in every process. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { ask, type KindName, kindNames, kinds } from './llm.js';

const one = useService();
const other = useService();

/** Removes ids and times. */
const withoutIds = (text: string) =>
  text
    .replace(/"(?:id|item_id)":"(?!call_|toolu_)[^"]+"/g, '"id"')
    .replace(/"(?:created|created_at|completed_at)":[\d.]+/g, '"time"');

const requests = (kind: KindName) => {
  const { body, tools } = kinds[kind];
  return [
    body('count to 20'),
    body('count to 20', { stream: true }),
    body('What is the weather?', { tools }),
    body('What is the weather?', { tools, stream: true }),
  ];
};

test.each(kindNames)('%s: two processes send the same, apart from ids and times', async (kind) => {
  for (const sent of requests(kind)) {
    const [left, right] = await Promise.all([ask(one, kind, sent), ask(other, kind, sent)]);
    expect(left.status).toBe(200);
    expect(withoutIds(left.text)).toBe(withoutIds(right.text));
  }
});

test('the seed of chat completions fixes ids and times', async () => {
  for (const sent of requests('chat')) {
    const seeded = { ...sent, seed: 7 };
    const [left, right, another] = await Promise.all([
      ask(one, 'chat', seeded),
      ask(other, 'chat', seeded),
      ask(one, 'chat', { ...sent, seed: 8 }),
    ]);
    expect(left.text).toBe(right.text);
    expect(left.text).not.toBe(another.text);
  }
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
