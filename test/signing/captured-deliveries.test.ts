import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';

const service = useService();
const bins = '/api/webhooks/bins';

describe("a provider's signature on a captured request", () => {
  let id = '';
  let stripe: { headers: Record<string, string>; body: string };
  const requests = async () => (await service.send(`GET ${bins}/${id}/requests`)).json;
  beforeEach(async () => {
    id = (await service.send(`POST ${bins}`)).json.id;
    stripe = (await service.send('GET /api/webhooks/samples/stripe?format=envelope')).json;
  });

  test('is checked on arrival', async () => {
    await service.send(`POST /api/webhooks/${id}`, stripe);
    await service.send(`POST /api/webhooks/${id}`, { ...stripe, body: `${stripe.body} ` });
    await service.send(`POST /api/webhooks/${id}`, { body: stripe.body });
    const [none, wrong, right] = await requests();
    expect(right.signature).toMatchObject({ provider: 'stripe', verified: true });
    expect(wrong.signature).toMatchObject({
      provider: 'stripe',
      verified: false,
      part: 'signature',
    });
    expect(none).not.toHaveProperty('signature');
  });

  test.each([256 * 1024 + 1, 1_000_000, 10 * 1024 * 1024])(
    'is checked over a body of %d bytes, of which only the beginning is stored',
    async (size) => {
      const { signingSecret } = (await service.send('GET /api/webhooks/samples')).json;
      const body = Buffer.alloc(size, 'é');
      const signature = createHmac('sha256', signingSecret).update(body).digest('hex');
      const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
      await service.send(`POST /api/webhooks/${id}`, { headers, body });
      body.writeUInt8(0x21, size - 1);
      await service.send(`POST /api/webhooks/${id}`, { headers, body });
      const [wrong, right] = await requests();
      expect(right).toMatchObject({ bodyTruncated: true, bodySize: size });
      expect(right.signature).toMatchObject({ provider: 'github', verified: true });
      expect(wrong.signature).toMatchObject({ verified: false, part: 'signature' });
    },
  );

  test('is checked over a body in chunks, also inside a sandbox', async () => {
    const connection = openConnection(service.url);
    const headers = { ...stripe.headers, 'Transfer-Encoding': 'chunked' };
    connection.send(requestText(`POST /s/chunks/api/webhooks/${id}`, headers));
    for (const piece of stripe.body.match(/.{1,99}/gs) ?? []) {
      connection.send(`${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
    }
    connection.send('0\r\n\r\n');
    await connection.until('"received":true');
    connection.socket.destroy();
    const [{ signature }] = await requests();
    expect(signature).toMatchObject({ provider: 'stripe', verified: true });
  });

  test('of Svix is accepted like a signature of Standard Webhooks', async () => {
    const signed = await service.send('POST /api/webhooks/samples/standard-webhooks', {
      body: '{"n":1}',
    });
    const headers = Object.fromEntries(
      Object.entries<string>(signed.json.headers).map(([name, value]) => [
        name.replace(/^webhook-/, 'svix-'),
        value,
      ]),
    );
    await service.send(`POST /api/webhooks/${id}`, { headers, body: '{"n":1}' });
    await service.send(`POST /api/webhooks/${id}`, { headers, body: '{"n":2}' });
    const [wrong, right] = await requests();
    expect(right.signature).toMatchObject({ provider: 'standard-webhooks', verified: true });
    expect(right.signature.warning).toContain('Accepted by Svix.');
    expect(wrong.signature).toMatchObject({ provider: 'standard-webhooks', verified: false });
  });
});
