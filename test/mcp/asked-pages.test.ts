/** A tool that waits until the user opens a page. */

import { expect, test } from 'vitest';
import { openConnection, requestText } from '../support/raw-connection.js';
import { useService } from '../support/service.js';
import { messagesIn, openSession } from './mcp.js';
import { RuleClient } from './rule-client.js';

interface Asked {
  readonly id: string;
  readonly params: { readonly url: string };
}

const service = useService();
const capabilities = { elicitation: { url: {} } };

/** Calls the tool, and returns the URL and a function that sends the response of the user. */
async function askAt(client: RuleClient, args: object = {}) {
  const call = { name: 'ask_user_by_url', arguments: args };
  const { json } = await client.modern('tools/call', call, { capabilities });
  const { inputRequests, requestState } = json.result;
  const { url, mode } = inputRequests.user.params;
  expect(mode).toBe('url');
  const respond = async (action: string) => {
    const inputResponses = { user: { action } };
    const again = { ...call, requestState, inputResponses };
    const { messages } = await client.modern('tools/call', again, { capabilities });
    return messages.at(-1).result;
  };
  return { page: client.below(url), respond };
}

const heardBy = async (client: RuleClient): Promise<readonly string[]> => {
  const { json } = await client.send('GET /api/sandbox/mcp/messages');
  return json
    .map(({ what }: { what: string }) => what)
    .filter((what: string) => what.startsWith('elicitation'))
    .map((what: string) => what.replace(/^elicitation \S+: /, ''))
    .reverse();
};

test('accept only means that the user agreed: the wait ends when the page is open', async () => {
  const client = new RuleClient(service.url, 'pages-open');
  const { page, respond } = await askAt(client);
  const result = respond('accept');
  await client.untilOpen();
  expect((await client.send(`HEAD ${page}`)).status).toBe(200);
  expect((await client.send('GET /api/sandbox/mcp')).json.running).toBe(1);
  const opened = await client.send(`GET ${page}`);
  expect(opened.headers['content-type']).toContain('text/html');
  expect((await result).content[0].text).toBe('The user agreed, and the page was opened.');
  expect(await heardBy(client)).toEqual(['the user responded with accept', 'the page was opened']);
});

test('the wait can last until the page is completed', async () => {
  const client = new RuleClient(service.url, 'pages-completed');
  const { page, respond } = await askAt(client, { until: 'completed' });
  await client.send(`GET ${page}`);
  const result = respond('accept');
  await client.untilOpen();
  expect((await client.send(`POST ${page}`)).status).toBe(200);
  expect((await result).content[0].text).toBe('The user agreed, and the page was completed.');
  expect(await heardBy(client)).toEqual([
    'the page was opened, before the user agreed',
    'the user responded with accept',
    'the page was completed',
  ]);
});

test.each(['decline', 'cancel'])('%s ends the call at once', async (action) => {
  const client = new RuleClient(service.url, `pages-${action}`);
  const { respond } = await askAt(client);
  const result = await respond(action);
  expect(result.content[0].text).toBe(`The user responded with ${action}.`);
});

test('a page that is not opened in time is an error result', async () => {
  const client = new RuleClient(service.url, 'pages-late');
  const { respond } = await askAt(client, { seconds: 1 });
  const result = await respond('accept');
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain('not opened within 1 s');
});

test('responses without requestState begin again', async () => {
  const client = new RuleClient(service.url, 'pages-forgotten');
  const inputResponses = { user: { action: 'accept' } };
  const call = { name: 'ask_user_by_url', arguments: {}, inputResponses };
  const { json } = await client.modern('tools/call', call, { capabilities });
  expect(json.result.resultType).toBe('input_required');
});

test.each(['GET', 'POST'])('%s of an unknown page is 404', async (method) => {
  const client = new RuleClient(service.url, 'pages-unknown');
  const { status, json } = await client.send(`${method} /mcp/elicitations/unknown`);
  expect([status, json.status]).toEqual([404, 404]);
});

test.each(['2025-06-18', '2025-11-25'])(
  'in a session of %s, the result follows the page',
  async (revision) => {
    const client = new RuleClient(service.url, `pages-${revision}`);
    const session = await openSession(service, revision, { path: client.path, capabilities });
    const params = { name: 'ask_user_by_url', arguments: {} };
    const message = { jsonrpc: '2.0', id: 'call', method: 'tools/call', params };
    const call = openConnection(service.url);
    const headers = { ...session.headers, 'Content-Type': 'application/json' };
    call.send(requestText(`POST ${client.path}`, headers, JSON.stringify(message)));
    await call.until('elicitation/create');
    const [{ id, params: asked }] = messagesIn(`${call.received()}`) as [Asked];
    await session.send({ jsonrpc: '2.0', id, result: { action: 'accept' } });
    await client.send(`GET ${client.below(asked.url)}`);
    await call.until('the page was opened');
    const hasNotification = `${call.received()}`.includes('notifications/elicitation/complete');
    expect(hasNotification).toBe(revision === '2025-11-25');
    call.socket.destroy();
  },
);
