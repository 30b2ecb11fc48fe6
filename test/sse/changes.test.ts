/** Changes of collections as events, in memory and across replicas. */

import { describe, expect, test } from 'vitest';
import { openStream } from '../support/event-source.js';
import { change } from '../support/many-changes.js';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService();
const { send } = service;

const idsOf = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);

describe('changes', () => {
  async function follow(path: string, headers: Record<string, string> = {}) {
    const connection = openConnection(service.url);
    connection.send(requestText(`GET ${path}`, headers));
    await connection.until('retry: 1000');
    return connection;
  }
  const eventOf = (text: string, kind: string) =>
    JSON.parse(new RegExp(`event: ${kind}\ndata: (.*)\n`).exec(text)?.[1] ?? 'null');

  test('arrive as they happen, only in their sandbox, and are resumed by id', async () => {
    const sandbox = { headers: { 'X-Sandbox': 'changes' } };
    const connection = await follow('/s/changes/api/sse/changes?collection=Books');
    await send('DELETE /api/Books/2');
    await send('PATCH /api/Books/1', { ...sandbox, json: { title: 'Changed' } });
    await send('DELETE /api/Books/3', sandbox);
    await connection.until('event: deleted');
    const text = connection.received().toString();
    connection.socket.destroy();
    expect(eventOf(text, 'updated')).toMatchObject({
      collection: 'books',
      kind: 'updated',
      id: 1,
      record: { id: 1, title: 'Changed' },
    });
    expect(eventOf(text, 'deleted')).toMatchObject({ kind: 'deleted', id: 3, record: { id: 3 } });
    const [first = '', last = ''] = idsOf(text);
    expect(idsOf(text)).toHaveLength(2);
    const resumed = await follow('/s/changes/api/sse/changes?collection=books', {
      'Last-Event-ID': first,
    });
    await resumed.until('event: deleted');
    expect(idsOf(resumed.received().toString())).toEqual([last]);
    resumed.socket.destroy();
  });

  test('that are no longer kept are reported as missed', async () => {
    await send('DELETE /s/missed/api/Books/1');
    const connection = await follow('/s/missed/api/sse/changes?collection=books', {
      'Last-Event-ID': '900000000',
    });
    await connection.until('event: missed\ndata: {"collection":"books"}');
    connection.socket.destroy();
  });

  test('beyond the kept number are reported as missed, and the stream continues from there', async () => {
    await change(service, '/s/many/api/Books', 1100);
    const stream = await openStream(service.url, '/s/many/api/sse/changes?collection=books', {
      method: 'GET',
      headers: { 'Last-Event-ID': '1' },
    });
    const missed = await stream.next();
    expect(missed).toMatchObject({ event: 'missed', data: { collection: 'books' } });
    await send('DELETE /s/many/api/Books/2');
    const next = await stream.next();
    expect(next).toMatchObject({ event: 'deleted', data: { id: 2 } });
    expect(Number(next?.id)).toBe(Number(missed?.id) + 1);
    stream.close();
    // The newest thousand are complete.
    const kept = await openStream(service.url, '/s/many/api/sse/changes?collection=books', {
      method: 'GET',
      headers: { 'Last-Event-ID': String(Number(next?.id) - 1000) },
    });
    for (let place = Number(next?.id) - 999; place <= Number(next?.id); place++) {
      expect((await kept.next())?.id).toBe(String(place));
    }
    kept.close();
  });

  test('of an unknown collection are 404, with the existing collections', async () => {
    const { status, json } = await send('GET /api/sse/changes?collection=none');
    expect(status).toBe(404);
    expect(json.message).toContain('books');
    expect((await send('GET /api/sse/changes')).json.errors[0].field).toBe('collection');
  });
});
