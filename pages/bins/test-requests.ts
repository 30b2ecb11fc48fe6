/** Sends the test requests. */

import { addressOf } from '../shared/address-of.js';
import { callOpen } from '../shared/call.js';
import { callJsonInSandbox } from './sandbox.js';

interface Envelope {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const providers = new Set(['stripe', 'github', 'shopify']);

/** `kind` is a value of the page's list of kinds. */
export async function sendTestRequest(binId: string, kind: string): Promise<void> {
  const request = providers.has(kind) ? await signedSample(kind) : plainRequest(kind);
  const url = addressOf(`/api/webhooks/${binId}${request.path}`);
  const init = { method: 'POST', headers: { ...request.headers }, body: request.body };
  // A bin may be set to respond with an error; the request arrives nevertheless.
  await callOpen(url, init).catch((error: unknown) => {
    if (!(error instanceof Error && 'status' in error && error.status !== 404)) throw error;
  });
}

function plainRequest(kind: string) {
  if (kind === 'form') {
    const body = new URLSearchParams({ name: 'Ada Lovelace', city: 'Zürich', note: 'a&b = c' });
    return { path: '/forms/contact', headers: {}, body };
  }
  if (kind === 'multipart') {
    const body = new FormData();
    body.set('title', 'Holiday');
    body.set('photo', new File(['not really a photo'], 'beach.jpg', { type: 'image/jpeg' }));
    return { path: '/uploads', headers: {}, body };
  }
  if (kind === 'binary') {
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    return { path: '/files', headers: { 'Content-Type': 'application/octet-stream' }, body };
  }
  const order = { event: 'order.created', order: { id: 1001, total: '42.00', items: ['mug'] } };
  return {
    path: '/orders?source=inspector',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  };
}

async function signedSample(provider: string) {
  const url = addressOf(`/api/webhooks/samples/${provider}?format=envelope`);
  return { path: `/${provider}`, ...(await callJsonInSandbox<Envelope>(url)) };
}
