/** The judge of requests that continue a broken stream. */

import { expect, test } from 'vitest';
import type { Conversation, Turn } from '../messages/conversation.js';
import { digestsOf, type Exchange } from './history.js';
import { checkRules, judgeStream, relate } from './relate.js';

const question: Turn = { role: 'user', text: 'Call get_weather.' };
const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":' };
const asked: Turn = { role: 'assistant', text: '', calls: [call] };

const exchange: Exchange = {
  requestId: 'first',
  turns: 1,
  digest: digestsOf({ turns: [question] })[0] ?? '',
  textLength: question.text.length,
  whole: 'another',
  callIds: [call.id],
  broken: { name: 'cut-arguments', at: 'arguments', nature: 'broken' },
};

const conversation = (...turns: readonly Turn[]): Conversation => ({
  ...{ model: 'practice-1', turns, tools: [], toolChoice: 'auto', stop: [], thinks: false },
});

function judge(...turns: readonly Turn[]) {
  const relation = relate(conversation(...turns), [exchange]);
  return relation && { ...judgeStream(relation), checks: checkRules(relation, 0, 0) };
}

const resultOf = (text: string): Turn => ({
  role: 'tool',
  text: '',
  results: [{ id: 'call_1', text }],
});

test.each([
  ['a result of cut arguments', 'Rain', 'mishandled', false],
  ['a result that reports an error', 'Invalid input: Unexpected end of JSON', 'handled', true],
])('judges %s', (_what, text, outcome, isKept) => {
  expect(judge(question, asked, resultOf(text))).toMatchObject({
    outcome,
    checks: { 'tool-arguments-whole': isKept },
  });
});

test('relates a request that adds to the last user message', () => {
  const text = `${question.text}\nThanks`;
  expect(relate(conversation({ role: 'user', text }), [exchange])?.kind).toBe('continuation');
  const other = { role: 'user', text: `${question.text} Thanks` } as const;
  expect(relate(conversation(other), [exchange])).toBeUndefined();
});
