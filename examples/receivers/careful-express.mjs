// A receiver of Standard Webhooks: it verifies, stores, responds, and only then works.
// PORT=8000 WEBHOOK_SECRET=whsec_… PRACTICE_API=http://localhost:3000/s/mine node careful-express.mjs
import express from 'express';
import { Webhook } from 'standardwebhooks';

const { PORT = '8000', WEBHOOK_SECRET = '', PRACTICE_API = '' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);
const seen = new Set(); // a table with a unique key, in production
const versions = new Map();

async function work(id, { type, data }) {
  if (type !== 'order.paid') return; // ignored: more types may come
  if ((versions.get(data.id) ?? 0) > data.version) return; // older than what is known
  versions.set(data.id, data.version);
  await fetch(`${PRACTICE_API}/my/received`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event: id, order: data.id, version: data.version }),
  });
}

const app = express();
const rawBody = express.raw({ type: () => true, limit: '1mb', inflate: false });

app.post('/hook', rawBody, (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers); // the bytes as they arrived
  } catch {
    response.status(400).send('The signature is wrong, or too old.');
    return;
  }
  response.status(204).end();
  const id = request.get('webhook-id');
  if (seen.has(id)) return;
  seen.add(id);
  work(id, event).catch(console.error);
});

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).send(error.message);
});

const server = app.listen(Number(PORT), () => console.log(`Listening on ${server.address().port}`));
