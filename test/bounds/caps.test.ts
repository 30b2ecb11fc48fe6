/** Numbers beyond a limit that mean the limit, as in httpbin. */

import { expect, test } from 'vitest';
import { type HttpResponse, useService } from '../support/service.js';

const { send } = useService();

const bytes = ({ bytes: body }: HttpResponse) => body.length;
const lines = ({ text }: HttpResponse) => text.split('\n').length - 1;
const linked = ({ text }: HttpResponse) => text.match(/<a /g)?.length;

test.each<[string, number, (n: number) => string, (response: HttpResponse) => unknown]>([
  ['bytes', 102_400, (n) => `/httpbin/bytes/${n}`, bytes],
  ['bytes in chunks', 102_400, (n) => `/httpbin/stream-bytes/${n}?chunk_size=65536`, bytes],
  ['lines', 100, (n) => `/httpbin/stream/${n}`, lines],
  ['parts', 100, (n) => `/postman-echo/stream/${n}`, ({ text }) => text.match(/"args"/g)?.length],
  ['links, the current page aside', 199, (n) => `/httpbin/links/${n + 1}/0`, linked],
])('%s: %i at most', async (_what, limit, pathOf, measure) => {
  for (const [asked, got] of [
    [limit - 1, limit - 1],
    [limit, limit],
    [limit + 1, limit],
    [9 * limit, limit],
  ] as const) {
    expect(measure(await send(`GET ${pathOf(asked)}`))).toBe(got);
  }
});
