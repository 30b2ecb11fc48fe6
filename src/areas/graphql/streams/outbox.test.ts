import { expect, test } from 'vitest';
import { Outbox } from './outbox.js';

test('texts are in the order of offers, each made after the previous one was read', async () => {
  const outbox = new Outbox();
  const made: string[] = [];
  const offer = (text: string) =>
    outbox.offer(() => {
      made.push(text);
      return text;
    });
  const offers = [offer('a'), offer('b')];
  const texts = outbox.texts();
  expect((await texts.next()).value).toBe('a');
  expect(made).toEqual(['a']);
  expect((await texts.next()).value).toBe('b');
  await offers[0];
  outbox.end();
  expect((await texts.next()).done).toBe(true);
  await offers[1];
});

test('a period without any text is reported', async () => {
  const texts = new Outbox(1).texts();
  expect(await texts.next()).toEqual({ value: undefined, done: false });
});

test('callers that wait for a turn are released at the end, and later callers at once', async () => {
  const outbox = new Outbox();
  const waiting = outbox.offer(() => 'a');
  outbox.end();
  await waiting;
  await outbox.offer(() => 'b');
  expect((await outbox.texts().next()).done).toBe(true);
});

test('a reader that leaves releases all waiting callers', async () => {
  const outbox = new Outbox();
  const offers = [outbox.offer(() => 'a'), outbox.offer(() => 'b')];
  const texts = outbox.texts();
  await texts.next();
  await texts.return(undefined);
  await Promise.all(offers);
});
