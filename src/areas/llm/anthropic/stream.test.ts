/** Events of streamed messages, and what they add up to. */

import { expect, test } from 'vitest';
import type { Completion } from '../messages/conversation.js';
import { signThinking } from '../messages/signature.js';
import type { Thinking } from './request/thinking.js';
import { writeMessage } from './response.js';
import { streamMessage } from './stream.js';

const plain: Completion = {
  thinking: '',
  text: '',
  calls: [],
  stop: 'end',
  usage: { input: 5, output: 9, thinking: 0 },
};

const stamp = { id: (length: number) => 'a'.repeat(length), nowMs: 0 };

function contextOf(thinking: Partial<Thinking> = {}) {
  return {
    model: 'practice-1',
    region: null,
    version: '2026-10-21',
    thinking: { type: 'disabled', isOmitted: false, ...thinking },
  } as const;
}

function eventsOf(completion: Partial<Completion>, thinking?: Partial<Thinking>) {
  return [...streamMessage({ ...plain, ...completion }, contextOf(thinking), stamp)];
}

const call = { id: 'toolu_01a', name: 'weather', arguments: '{"city":"Bern"}' };

test('a text has one token per delta, between start, ping and stop', () => {
  const events = eventsOf({ text: 'Hi there.' });
  expect(events.map(({ event, at }) => `${at} ${event}`)).toEqual([
    'start message_start',
    'start ping',
    'text content_block_start',
    'text content_block_delta',
    'text content_block_delta',
    'text content_block_delta',
    'text content_block_delta',
    'text content_block_stop',
    'end message_delta',
    'end message_stop',
  ]);
  expect(events[3]?.data).toEqual({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'text_delta', text: 'Hi' },
  });
});

test('the first delta of arguments is empty, and all make the arguments', () => {
  const pieces = eventsOf({ calls: [call], stop: 'tools' })
    .filter(({ event }) => event === 'content_block_delta')
    .map(({ data }) => (data as { delta: { partial_json: string } }).delta.partial_json);
  expect(pieces[0]).toBe('');
  expect(pieces.join('')).toBe(call.arguments);
});

test('the signature follows the thinking', () => {
  const events = eventsOf({ thinking: 'Hm.', text: 'Hi' }, { type: 'adaptive' });
  const last = events.findLast(({ at }) => at === 'thinking');
  expect(last?.data).toEqual({ type: 'content_block_stop', index: 0 });
  expect(JSON.stringify(events)).toContain(JSON.stringify(signThinking('Hm.')));
});

test('omitted thinking has a signature only', () => {
  const completion = { ...plain, thinking: 'Hm.' };
  const context = contextOf({ type: 'enabled', isOmitted: true });
  expect(writeMessage(completion, context, stamp).content).toEqual([
    { type: 'thinking', thinking: '', signature: signThinking('') },
  ]);
});

test('arguments that were cut are an empty object', () => {
  const cut = { ...call, arguments: '{"city":"Be' };
  const message = writeMessage({ ...plain, calls: [cut], stop: 'length' }, contextOf(), stamp);
  expect(message).toMatchObject({
    id: 'msg_01aaaaaaaaaaaaaaaaaaaaaa',
    content: [{ type: 'tool_use', id: 'toolu_01a', input: {} }],
    stop_reason: 'max_tokens',
  });
});

test('a refusal is a text', () => {
  const message = writeMessage({ ...plain, refusal: 'No.', stop: 'refusal' }, contextOf(), stamp);
  expect(message).toMatchObject({
    content: [{ type: 'text', text: 'No.' }],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal' },
  });
});

test('a stop sequence is named', () => {
  const completion: Completion = { ...plain, text: 'Hi', stop: 'stop', stopSequence: 'END' };
  const events = [...streamMessage(completion, contextOf(), stamp)];
  expect(events.at(-2)?.data).toMatchObject({
    type: 'message_delta',
    delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    usage: { input_tokens: 5, output_tokens: 9 },
  });
});

test('the older version omits absent citations', () => {
  const completion = { ...plain, text: 'Hi' };
  const older = { ...contextOf(), version: '2023-06-01' } as const;
  expect(writeMessage(completion, older, stamp).content).toEqual([{ type: 'text', text: 'Hi' }]);
  expect(writeMessage(completion, contextOf(), stamp).content).toEqual([
    { type: 'text', text: 'Hi', citations: null },
  ]);
});
