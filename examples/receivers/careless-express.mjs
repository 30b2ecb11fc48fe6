// A receiver as many tutorials write it. practice-api listen --verify finds what is wrong.
import express from 'express';

const { PORT = '8000', PRACTICE_API = '' } = process.env;

const app = express();
app.use(express.json()); // bodies of at most 100 kB, and the bytes are gone

app.post('/hook', async (request, response) => {
  const { type, data } = request.body; // nothing is verified
  if (type !== 'order.paid') throw new Error(`Unknown type ${type}`);
  const { id, version, note, amount, currency, workMs = 0, ...others } = data;
  if (Object.keys(others).length > 0) throw new Error('Unknown member');
  await new Promise((resolve) => setTimeout(resolve, workMs)); // works while the sender waits
  await fetch(`${PRACTICE_API}/my/received`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ event: request.get('webhook-id'), order: id, version }),
  });
  response.json({ received: true });
});

const server = app.listen(Number(PORT), () => console.log(`Listening on ${server.address().port}`));
