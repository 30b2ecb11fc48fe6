import { beforeEach, describe, expect, test } from 'vitest';
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

  test('is not checked over a body that was cut', async () => {
    const body = stripe.body.padEnd(256 * 1024 + 1);
    await service.send(`POST /api/webhooks/${id}`, { ...stripe, body });
    const [{ signature }] = await requests();
    expect(signature).toMatchObject({ verified: false, part: 'body' });
    expect(signature.message).toContain('not checked');
  });
});
