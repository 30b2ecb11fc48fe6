/** ReqRes: pages of users and colours, and a login with fixed tokens. */

import type { Call } from '../dialect/call.js';
import type { Collection, Item } from '../dialect/collection.js';
import { collectionsOf, declareDialect } from '../dialect/declare.js';
import { optionsOf } from '../dialect/options.js';
import { Outcome } from '../dialect/outcome.js';
import { picture } from '../dialect/picture.js';

const { users, unknown } = collectionsOf<'users' | 'unknown'>('reqres');
const token = 'QpwL5tke4Pnpja7X4';

const support = {
  url: 'https://github.com/',
  text: 'This is a local copy with its own texts. It costs nothing, and needs no support.',
};

const missing = new Outcome(404, {});

/** Any name but `users` is a collection of colours, as in the original. */
const collectionIn = ({ params }: Call): Collection =>
  params.resource === 'users' ? users : unknown;

/** A query with `id` means that record, also at the path of the list. */
const idOf = (call: Call) => call.query('id') ?? call.params.id ?? '';

const whole = (text: string | undefined) => {
  const number = Number.parseInt(text ?? '', 10);
  return number > 0 ? number : undefined;
};

async function list(call: Call) {
  const items = await call.list(collectionIn(call));
  const page = whole(call.query('page')) ?? 1;
  const size = Math.min(whole(call.query('per_page')) ?? 6, 1000);
  return {
    page,
    per_page: size,
    total: items.length,
    total_pages: Math.ceil(items.length / size),
    data: items.slice((page - 1) * size, page * size),
    support,
  };
}

async function show(call: Call) {
  const data = await call.find(collectionIn(call), idOf(call));
  return data === undefined ? missing : { data, support };
}

const listOrShow = (call: Call) => (call.query('id') === undefined ? list(call) : show(call));

const timeOf = async (call: Call) => new Date(await call.now()).toISOString();

async function create(call: Call) {
  const body = await call.body();
  const createdAt = await timeOf(call);
  const of = collectionIn(call);
  if (await call.keeps()) {
    const item = await call.create(of, (id) => ({ ...body, id, createdAt }));
    return new Outcome(201, { ...item, id: String(item.id) });
  }
  // The original chooses any number as the id.
  const id = String(100 + (Date.parse(createdAt) % 900));
  return new Outcome(201, { ...body, id, createdAt });
}

async function update(call: Call) {
  const body = await call.body();
  const updatedAt = await timeOf(call);
  if (await call.keeps()) {
    const change = (item: Item) => ({ ...item, ...body, id: item.id });
    const item = await call.change(collectionIn(call), idOf(call), change);
    if (item === undefined) return missing;
  }
  return { ...body, updatedAt };
}

async function remove(call: Call) {
  const isKept = await call.keeps();
  const found = isKept && (await call.remove(collectionIn(call), idOf(call)));
  return isKept && found === undefined ? missing : new Outcome(204);
}

const reject = (error: string, status = 400) => new Outcome(status, { error });

/** Accepts any password of a known user, as the original does. */
const enter = (unknownUser: string, outcome: (user: Item) => unknown) => async (call: Call) => {
  const { email, username = email, password } = await call.body();
  if (!username) return reject('Missing email or username');
  if (!password) return reject('Missing password');
  const found = (await call.list(users)).find((user) => user.email === username);
  return found === undefined ? reject(unknownUser) : outcome(found);
};

const login = enter('user not found', () => ({ token }));
const register = enter('Note: Only defined users succeed registration', ({ id }) => ({
  id,
  token,
}));

/** Checks the key if the sandbox requires one, and waits as `delay` says, in seconds. */
async function before(call: Call) {
  const { reqresKey } = await optionsOf(call.request.sandbox);
  const key = call.header('x-api-key');
  if (reqresKey && !key) return reject('Missing API key', 401);
  await call.wait(Number.parseFloat(call.query('delay') ?? '') * 1000);
  return undefined;
}

export const dialect = declareDialect(
  'reqres',
  {
    getPicture: picture,
    register,
    login,
    logout: () => ({}),
    listRecords: listOrShow,
    getRecord: show,
    createRecord: create,
    changeRecord: update,
    changeRecordOfQuery: update,
    deleteRecord: remove,
    deleteRecordOfQuery: remove,
  },
  { before, unknown: () => missing, failure: (_status, error) => ({ error }) },
);
