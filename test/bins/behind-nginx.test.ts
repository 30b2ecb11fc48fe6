/**
 * A proxy that obeys response headers: nginx serves internal files when it gets X-Accel-Redirect.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { internalFile, nginx, startNginx } from '../support/nginx.js';
import { useService } from '../support/service.js';

const service = useService();

/** Runs `use` with the URL of an nginx in front of `upstream` that has an internal file. */
async function withNginx(upstream: string, use: (url: string) => Promise<void>): Promise<void> {
  const { url, stop } = await startNginx(upstream);
  try {
    await use(url);
  } finally {
    await stop();
  }
}

nginx.test('serves internal files when a response redirects there', async () => {
  const redirecting = createServer((_request, response) => {
    response.setHeader('X-Accel-Redirect', internalFile.path).end();
  }).listen(0, '127.0.0.1');
  await once(redirecting, 'listening');
  const { port } = redirecting.address() as AddressInfo;
  await withNginx(`http://127.0.0.1:${port}`, async (url) => {
    expect(await (await fetch(url)).text()).toBe(internalFile.content);
  });
  redirecting.close();
});

nginx.test('a bin cannot make nginx send an internal file', async () => {
  await withNginx(service.url, async (url) => {
    const { json: bin } = await service.send('POST /api/webhooks/bins');
    for (const name of ['X-Accel-Redirect', 'x-accel-redirect', 'X-ACCEL-Redirect ']) {
      for (const headers of [{ [name]: internalFile.path }, [[name, internalFile.path]]]) {
        const settings = { response: { headers, body: 'mine' } };
        await service.send(`PATCH /api/webhooks/bins/${bin.id}`, { json: settings });
        expect(await (await fetch(`${url}/api/webhooks/${bin.id}`)).text()).not.toBe(
          internalFile.content,
        );
      }
    }
    const settings = { response: { headers: { 'X-Mine': '1' }, body: 'mine' } };
    await service.send(`PATCH /api/webhooks/bins/${bin.id}`, { json: settings });
    const response = await fetch(`${url}/api/webhooks/${bin.id}`);
    expect([await response.text(), response.headers.get('x-mine')]).toEqual(['mine', '1']);
    expect((await fetch(url + internalFile.path)).status).toBe(404);
  });
});
