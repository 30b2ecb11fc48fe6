import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { addHeaderLines } from './header-lines.js';

const lines = [
  'host',
  'a',
  'age',
  '1',
  'age',
  '2',
  'accept',
  'x',
  'accept',
  'y',
  'set-cookie',
  'c',
];

test('repeated headers are joined, dropped and listed as on HTTP/1.1', () => {
  const message = new IncomingMessage(new Socket());
  addHeaderLines(message, lines);
  expect(message.headers).toEqual({ host: 'a', age: '1', accept: 'x, y', 'set-cookie': ['c'] });
  expect(message.rawHeaders).toEqual(lines);
});

test('repeated headers are joined without the method of Node', () => {
  const message = { headers: {}, rawHeaders: [] as string[] };
  addHeaderLines(message as unknown as IncomingMessage, lines);
  expect(message.headers).toMatchObject({ host: 'a', age: '1, 2', accept: 'x, y' });
  expect(message.rawHeaders).toEqual(lines);
});
