/** FakeStoreAPI: products, carts, users and a login. */

import type { Call } from '../dialect/call.js';
import type { Collection, Item } from '../dialect/collection.js';
import { collectionsOf, declareDialect, renamed } from '../dialect/declare.js';
import { Outcome } from '../dialect/outcome.js';
import { pickFrom } from '../dialect/pick-from.js';
import { picture } from '../dialect/picture.js';
import { issueToken } from '../dialect/tokens.js';

const { products, carts, users } = collectionsOf<'products' | 'carts' | 'users'>('fakestore');

/** An unknown id gets 200 and nothing, as in the original. */
const found = (item: Item | undefined) => item ?? new Outcome(200);

/** Cuts and sorts a list by `limit` and `sort`. */
async function listOf(call: Call, of: Collection, isWanted: (item: Item) => boolean = () => true) {
  const limit = Math.trunc(Number(call.query('limit')) || 0);
  const items = (await call.list(of)).filter(isWanted);
  if (call.query('sort') === 'desc') items.reverse();
  return limit === 0 ? items : items.slice(0, Math.abs(limit));
}

/** Carts from `startdate` to before `enddate`. */
function isBetween(call: Call): (cart: Item) => boolean {
  const [start, end] = ['startdate', 'enddate'].map((name) => {
    const text = call.query(name);
    return text === undefined ? undefined : Date.parse(text);
  });
  return ({ date }) => {
    const time = Date.parse(String(date));
    return (start === undefined || time >= start) && (end === undefined || time < end);
  };
}

/** The operations on one item of a collection, whose items have these members. */
function operations(noun: string, of: Collection, members: readonly string[]) {
  const id = (call: Call) => call.params.id ?? '';
  const handlers = {
    get: async (call: Call) => found(await call.find(of, id(call))),
    async create(call: Call) {
      const body = pickFrom(await call.body(), members);
      return new Outcome(201, await call.create(of, (given) => ({ id: given, ...body })));
    },
    async update(call: Call) {
      const body = pickFrom(await call.body(), members);
      const changed = await call.change(of, id(call), (item) => ({ ...item, ...body }));
      if (await call.keeps()) return found(changed);
      return { id: Number.parseInt(id(call), 10), ...body };
    },
    delete: async (call: Call) => found(await call.remove(of, id(call))),
  };
  return renamed(handlers, (name) => name + noun);
}

async function login(call: Call) {
  const { username, password } = await call.body();
  if (!username || !password) {
    return new Outcome(400, 'username and password are not provided in JSON format');
  }
  const user = (await call.list(users)).find(
    (each) => each.username === username && each.password === password,
  );
  if (user === undefined) return new Outcome(401, 'username or password is incorrect');
  return new Outcome(201, {
    token: await issueToken(call, { sub: String(user.id), user: String(username) }),
  });
}

export const dialect = declareDialect(
  'fakestore',
  {
    getPicture: picture,
    listProducts: (call) => listOf(call, products),
    listCategories: () =>
      products
        .dataset()
        .rows.slice(0, 4)
        .map(({ category }) => category),
    listCategory: (call) =>
      listOf(call, products, ({ category }) => category === call.params.category),
    ...operations('Product', products, ['title', 'price', 'description', 'image', 'category']),
    listCarts: (call) => listOf(call, carts, isBetween(call)),
    listCartsOfUser(call) {
      const isInTime = isBetween(call);
      const isOf = ({ userId }: Item) => String(userId) === call.params.userId;
      return listOf(call, carts, (cart) => isOf(cart) && isInTime(cart));
    },
    ...operations('Cart', carts, ['userId', 'date', 'products']),
    listUsers: (call) => listOf(call, users),
    ...operations('User', users, ['email', 'username', 'password', 'name', 'address', 'phone']),
    login,
  },
  {
    unknown: ({ request }) =>
      new Outcome(404, { status: 'error', message: `Cannot ${request.method} this path` }),
    failure: (_status, message) => ({ status: 'error', message }),
  },
);
