import { expect, test } from 'vitest';
import { maxMessageLength, maxMessages, rememberCalls } from './call-service.js';
import type { Call } from './read-call.js';
import { calculator } from './services/calculator.js';

function counted() {
  const asked: string[] = [];
  const [operation] = calculator.operations;
  const read = rememberCalls((xml, action) => {
    asked.push(xml);
    if (xml === 'bad') throw new Error('refused');
    return { operation, args: { xml, action: action ?? '' } } as Call;
  });
  return { asked, read };
}

test('a repeated message is parsed once', () => {
  const { asked, read } = counted();
  expect(read('a', 'x')).toBe(read('a', 'x'));
  expect(asked).toEqual(['a']);
});

test('the action is part of the cache key', () => {
  const { asked, read } = counted();
  expect(read('a', 'x').args).toEqual({ xml: 'a', action: 'x' });
  expect(read('a', 'y').args).toEqual({ xml: 'a', action: 'y' });
  expect(read('a', undefined).args).toEqual({ xml: 'a', action: '' });
  expect(asked).toEqual(['a', 'a', 'a']);
});

test('a rejected message is parsed, and rejected, each time', () => {
  const { asked, read } = counted();
  for (let round = 0; round < 2; round++) expect(() => read('bad', 'x')).toThrow('refused');
  expect(asked).toEqual(['bad', 'bad']);
});

test('the cache keeps only the latest messages', () => {
  const { asked, read } = counted();
  for (let index = 0; index <= maxMessages; index++) read(`m${index}`, undefined);
  asked.length = 0;
  read('m1', undefined);
  read(`m${maxMessages}`, undefined);
  expect(asked).toEqual([]);
  read('m0', undefined);
  expect(asked).toEqual(['m0']);
});

test('long messages are not cached', () => {
  const { asked, read } = counted();
  for (const length of [maxMessageLength, maxMessageLength + 1]) {
    read('x'.repeat(length), undefined);
    read('x'.repeat(length), undefined);
  }
  expect(asked.map((xml) => xml.length)).toEqual([
    maxMessageLength,
    maxMessageLength + 1,
    maxMessageLength + 1,
  ]);
});
