import { connect, type IncomingHttpHeaders } from 'node:http2';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { path, seedOf } from './hunter.js';

const service = useService({ h2c: true });

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

test('bugs change requests over HTTP/2 too, and reports over HTTP/2 are judged', async () => {
  const session = connect(service.url);
  const send = (method: string, at: string, body?: unknown, headers = {}) =>
    new Promise<Got>((resolve, reject) => {
      const stream = session.request({
        ':method': method,
        ':path': `/s/h2${at}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      });
      let got: IncomingHttpHeaders = {};
      let text = '';
      stream.on('response', (received) => {
        got = received;
      });
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => resolve({ status: Number(got[':status']), headers: got, text }));
      stream.on('error', reject);
      stream.end(body === undefined ? undefined : JSON.stringify(body));
    });
  try {
    const { headers } = await send('GET', '/api/Photos/3');
    const tag = { 'if-match': String(headers.etag) };
    await send('PATCH', '/api/Photos/3', { title: 'One' }, tag);
    expect((await send('PATCH', '/api/Photos/3', { title: 'Two' }, tag)).status).toBe(412);
    const bugs = { level: 'senior', count: 1, seed: seedOf('photos-lost-update') };
    await send('PUT', path, bugs);
    expect((await send('PATCH', '/api/Photos/3', { title: 'Two' }, tag)).status).toBe(200);
    const report = {
      ...{ method: 'PATCH', path: '/api/Photos/3', body: { title: 'Three' }, headers: tag },
      ...{ expected: 412, actual: 200 },
    };
    const judged = await send('POST', `${path}/reports`, report);
    expect(JSON.parse(judged.text)).toMatchObject({ verdict: 'found' });
  } finally {
    session.close();
  }
});
