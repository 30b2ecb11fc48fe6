/** One session of a client of an SDK: tools, resources, prompts and a subscription. */

import assert from 'node:assert/strict';

export const book = 'practice://books/1';

/**
 * `follow` begins a subscription, and returns a promise of the first notification and a function
 * that ends the subscription.
 *
 * @param {any} client
 * @param {() => Promise<{notified: Promise<unknown>, end: () => Promise<unknown>}>} follow
 * @param {{login?: import('./log-in.mjs').Login | undefined, change?: () => Promise<unknown>}} options
 */
export async function runSession(client, follow, { login, change } = {}) {
  const { tools } = await client.listTools();
  assert.ok(tools.some((/** @type {any} */ { name }) => name === 'greet'));
  const greeting = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
  assert.equal(greeting.content[0].text, 'Hello, Ada!');

  let page = await client.listResources();
  while (!page.resources.some((/** @type {any} */ { uri }) => uri === book)) {
    assert.ok(page.nextCursor, `${book} is on no page.`);
    page = await client.listResources({ cursor: page.nextCursor });
  }
  const { contents } = await client.readResource({ uri: book });
  assert.equal(JSON.parse(contents[0].text).id, 1);

  const { prompts } = await client.listPrompts();
  assert.ok(prompts.some((/** @type {any} */ { name }) => name === 'describe_collection'));
  const prompt = await client.getPrompt({
    name: 'describe_collection',
    arguments: { collection: 'books' },
  });
  assert.match(prompt.messages[0].content.text, /books/);
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'describe_collection' },
    argument: { name: 'collection', value: 'boo' },
  });
  assert.deepEqual(completion.values, ['books']);

  const { notified, end } = await follow();
  await steppingUp(client, login, change ?? changeByTool(client));
  await notified;
  await end();
}

/**
 * Returns the same call for each attempt.
 *
 * @param {any} client
 */
function changeByTool(client) {
  const record = { title: `Changed ${Math.random()}` };
  const call = { name: 'update_record', arguments: { collection: 'books', id: 1, record } };
  return () => client.callTool(call);
}

/**
 * Connects; if the server requires a login, logs in and connects again.
 *
 * @param {() => { client: any, transport: any }} create
 * @param {import('./log-in.mjs').Login | undefined} login
 */
export async function connect(create, login) {
  const { client, transport } = create();
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (login === undefined || login.returned.size === 0) throw error;
    await finish(transport, login);
    const again = create();
    await again.client.connect(again.transport);
    return again.client;
  }
}

/**
 * A token without the scope leads to a further login.
 *
 * @param {any} client
 * @param {import('./log-in.mjs').Login | undefined} login
 * @param {() => Promise<unknown>} act
 */
async function steppingUp(client, login, act) {
  try {
    await act();
  } catch (error) {
    if (login === undefined || login.returned.size === 0) throw error;
    await finish(client.transport, login);
    await act();
  }
}

/**
 * @param {any} transport
 * @param {import('./log-in.mjs').Login} login
 */
async function finish(transport, login) {
  const { returned } = login;
  login.returned = new URLSearchParams();
  await transport.finishAuth(returned.get('code'), returned.get('iss') ?? undefined);
}
