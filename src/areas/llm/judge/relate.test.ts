/** The judge of requests that repeat or continue an exchange, without a service. */

import { describe, expect, test } from 'vitest';
import type { Turn } from '../messages/conversation.js';
import { codeOf } from '../streams/played-case.js';
import { digestsOf, type Exchange } from './history.js';
import { checkRules, judgeStream } from './judge-relation.js';
import { relate, type Sent } from './relate.js';

const question: Turn = { role: 'user', text: 'Call get_weather.' };
const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":' };
const asked: Turn = { role: 'assistant', text: '', calls: [call] };
const byHand = { isAutomatic: false, isWaitDemanded: true };
const cut = { name: 'cut-arguments', at: 'arguments', nature: 'broken' } as const;

const exchange: Exchange = {
  ...{ requestId: 'first', sent: 'body', respondedAtMs: 1000, connection: 'one', turns: 1 },
  digest: digestsOf({ turns: [question] })[0] ?? '',
  textLength: question.text.length,
  whole: 'another',
};
const withCalls: Exchange = { ...exchange, callIds: [call.id], cut: [{ id: call.id }] };

interface Arriving {
  readonly atMs?: number;
  readonly sent?: string;
  readonly connection?: string;
}

const sentOf = (
  turns: readonly Turn[],
  { atMs = 2000, sent = 'body', connection = 'one' }: Arriving = {},
): Sent => ({
  ...{ conversation: { turns }, sent, atMs },
  arrival: { timeMs: atMs, connection, connectionReused: true },
});

const resultOf = (text: string, isError?: true): Turn => ({
  role: 'tool',
  text: '',
  results: [{ id: 'call_1', text, ...(isError && { isError }) }],
});

describe('results of cut arguments', () => {
  const unclear = { decidedBy: expect.any(String) };
  const code = `Rain, code ${codeOf(cut)}.`;
  test.each<[string, Turn, string, unknown]>([
    ['that an execution returns', resultOf(code), 'mishandled', false],
    ['inside other text', resultOf(`{"weather":"${code}"}`), 'mishandled', false],
    ['marked as an error', resultOf('Rain', true), 'handled', true],
    ['marked as an error with the code', resultOf(code, true), 'handled', true],
    ['in English', resultOf('Error: no JSON'), 'unclear', unclear],
    ['in German', resultOf('Die Argumente sind kein gültiges JSON.'), 'unclear', unclear],
    ['in Japanese', resultOf('引数が正しいJSONではありません。'), 'unclear', unclear],
    ['as JSON', resultOf('{"ok":false}'), 'unclear', unclear],
    ['of any other text', resultOf('Rain'), 'unclear', unclear],
  ])('%s', (_what, result, outcome, rule) => {
    const sent = sentOf([question, asked, result]);
    const relation = relate(sent, [{ ...withCalls, broken: cut }]);
    if (relation === undefined) throw new Error('It continues the exchange.');
    expect(judgeStream(relation)).toMatchObject({ outcome });
    expect(checkRules(relation, sent, byHand)['tool-arguments-whole']).toEqual(rule);
  });

  test('of a script, by the result that it names', () => {
    const scripted = { ...withCalls, cut: [{ id: call.id, result: 'A7' }] };
    for (const [text, expected] of [
      ['Deleted. A7', false],
      ['Deleted.', unclear],
    ] as const) {
      const sent = sentOf([question, asked, resultOf(text)]);
      const relation = relate(sent, [scripted]);
      if (relation === undefined) throw new Error('It continues the exchange.');
      expect(checkRules(relation, sent, byHand)['tool-arguments-whole']).toEqual(expected);
    }
  });
});

describe('repeats', () => {
  const told = { ...exchange, notBeforeMs: 5000 };
  const unclear = { decidedBy: expect.any(String) };
  test.each<[string, Arriving, unknown]>([
    ['before the response', { atMs: 999 }, undefined],
    ['too early', { atMs: 1001 }, false],
    ['just in time', { atMs: 4950 }, true],
    ['in time', { atMs: 5000 }, true],
    ['too early, with another body', { sent: 'other' }, unclear],
    ['that may have crossed the response', { atMs: 1010, connection: 'two' }, undefined],
    ['long before, on another connection', { atMs: 1100, connection: 'two' }, false],
  ])('%s', (_what, arriving, expected) => {
    const sent = sentOf([question], arriving);
    const relation = relate(sent, [told]);
    expect(relation && checkRules(relation, sent, byHand)['waits-as-told']).toEqual(expected);
  });

  test('too early, if no documentation demands the wait', () => {
    const sent = sentOf([question], { atMs: 1001 });
    const relation = relate(sent, [told]);
    const repetition = { ...byHand, isWaitDemanded: false };
    expect(relation && checkRules(relation, sent, repetition)['waits-as-told']).toEqual(unclear);
  });

  test('are credited to the earliest response that explains them', () => {
    const other = { ...told, requestId: 'second', notBeforeMs: 9000 };
    expect(relate(sentOf([question], { atMs: 5000 }), [other, told])?.exchange).toBe(told);
    const repeated = { ...told, repeatedBy: 'third' };
    expect(relate(sentOf([question], { atMs: 5000 }), [other, repeated])?.exchange).toBe(other);
    expect(relate(sentOf([question], { atMs: 5000 }), [repeated])).toBeUndefined();
  });
});

test('relates a request that adds to the last user message', () => {
  const text = `${question.text}\nThanks`;
  expect(relate(sentOf([{ role: 'user', text }]), [exchange])?.kind).toBe('continuation');
  const other = { role: 'user', text: `${question.text} Thanks` } as const;
  expect(relate(sentOf([other]), [exchange])).toBeUndefined();
});
