import { expect, test } from 'vitest';
import { Outbox } from './outbox.js';

test('texts come in the order in which they were offered, each made when the one before is taken', async () => {
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

test('a time without any text is told', async () => {
  const texts = new Outbox(1).texts();
  expect(await texts.next()).toEqual({ value: undefined, done: false });
});

test('who waits for a turn is let go at the end, and whoever comes later', async () => {
  const outbox = new Outbox();
  const waiting = outbox.offer(() => 'a');
  outbox.end();
  await waiting;
  await outbox.offer(() => 'b');
  expect((await outbox.texts().next()).done).toBe(true);
});

test('a reader that leaves lets go of whoever waits', async () => {
  const outbox = new Outbox();
  const offers = [outbox.offer(() => 'a'), outbox.offer(() => 'b')];
  const texts = outbox.texts();
  await texts.next();
  await texts.return(undefined);
  await Promise.all(offers);
});
