/** DummyJSON: collections with pages, search and selection, and a login with JWT. */

import { STATUS_CODES } from 'node:http';
import { isObject, type JsonObject } from '#base/json-object.js';
import { setCookieHeader } from '#http/cookies/set-cookie.js';
import { baseMark, type Call } from '../dialect/call.js';
import type { Collection, Item } from '../dialect/collection.js';
import { declareDialect, renamed } from '../dialect/declare.js';
import type { Dialect, Handle } from '../dialect/dialect.js';
import { Outcome } from '../dialect/outcome.js';
import { pickFrom } from '../dialect/pick-from.js';
import { maxPictureSide, pictureOf, sizeOf } from '../dialect/picture.js';
import { issueToken, readToken } from '../dialect/tokens.js';
import { authorOf, cartOf, collections } from './data.js';

type Name = keyof typeof collections;

const fault = (status: number, message: string) => new Outcome(status, { message });
const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));

/** The members of a query that all paths have. */
function optionsIn(call: Call) {
  const [limit = '30', skip = '0', sortBy, given] = ['limit', 'skip', 'sortBy', 'order'].map(
    (name) => call.query(name),
  );
  for (const [name, text] of Object.entries({ limit, skip })) {
    if (Number.isNaN(Number(text))) throw fault(400, `Invalid '${name}' - must be a number`);
  }
  const order = given?.toLowerCase() ?? 'asc';
  if (sortBy && !['asc', 'desc'].includes(order)) throw fault(400, "Order can be: 'asc' or 'desc'");
  const selected = call.queries('select').flatMap((each) => each.split(','));
  return {
    limit: Math.trunc(Number(limit)),
    skip: Math.trunc(Number(skip)),
    sortBy,
    isDescending: order === 'desc',
    select: selected.length === 0 ? undefined : ['id', ...selected],
  };
}

const compare = (a: unknown, b: unknown) => (a === b ? 0 : (a as number) > (b as number) ? 1 : -1);

/** Sorts, cuts and selects, and wraps the list under its name. */
function pageOf(call: Call, name: Name, items: readonly Item[]) {
  const { limit, skip, sortBy, isDescending, select } = optionsIn(call);
  const sign = isDescending ? -1 : 1;
  const sorted = sortBy ? [...items].sort((a, b) => sign * compare(a[sortBy], b[sortBy])) : items;
  const rest = skip > 0 ? sorted.slice(skip) : sorted;
  const cut = limit === 0 ? rest : rest.slice(0, limit);
  const shown = select === undefined ? cut : cut.map((item) => pickFrom(item, select));
  return { [name]: shown, total: items.length, skip, limit: shown.length };
}

const listing =
  (name: Name, isWanted: (call: Call) => (item: Item) => boolean = () => () => true): Handle =>
  async (call) =>
    pageOf(call, name, (await call.list(collections[name])).filter(isWanted(call)));

/** Finds the text of `q` in some members. */
const searching = (name: Name, members: readonly string[]) =>
  listing(name, (call) => {
    const q = (call.query('q') ?? '').trim().toLowerCase().split('-').join(' ');
    return (item) => members.some((member) => String(item[member]).toLowerCase().includes(q));
  });

/** Finds items of which a member is the value in the path, or has it in its list. */
const having = (name: Name, member: string, parameter: string) =>
  listing(name, ({ params }) => {
    const wanted = (params[parameter] ?? '').toLowerCase();
    return (item) => [item[member]].flat().some((each) => String(each).toLowerCase() === wanted);
  });

async function checked(call: Call, noun: 'user' | 'post', given: unknown): Promise<Item> {
  const id = String(given || '');
  const capital = noun === 'user' ? 'User' : 'Post';
  if (id === '') throw fault(400, `${capital} id is required`);
  if (Number.isNaN(Number(id))) throw fault(400, `Invalid ${noun} id '${id}'`);
  const found = await call.find(noun === 'user' ? collections.users : collections.posts, id);
  if (found === undefined) throw fault(404, `${capital} with id '${id}' not found`);
  return found;
}

const below =
  (noun: 'user' | 'post', parameter: string, name: Name): Handle =>
  async (call) => {
    await checked(call, noun, call.params[parameter]);
    return having(name, `${noun}Id`, parameter)(call);
  };

/** The operations on one item; a body has only these members, or any that the collection has. */
function operations(
  noun: string,
  of: Collection,
  members: readonly string[] | undefined,
  writes: Partial<Writes> = {},
) {
  const idOf = ({ params }: Call) => params.id ?? '';
  const isChecked = noun === 'User' || noun === 'Post';
  const missing = (call: Call) => {
    const id = idOf(call);
    if (isChecked && Number.isNaN(Number(id)))
      return fault(400, `Invalid ${noun.toLowerCase()} id '${id}'`);
    return fault(404, `${noun} with id '${id}' not found`);
  };
  const { add = pick, update = merge, status = 201 } = writes;
  const shown = (item: Item) =>
    members === undefined ? item : { id: item.id, ...pickFrom(item, members) };
  const handlers: Readonly<Record<string, Handle>> = {
    async get(call) {
      const { select } = optionsIn(call);
      const found = await call.find(of, idOf(call));
      if (found === undefined) return missing(call);
      return select === undefined ? found : pickFrom(found, select);
    },
    async add(call) {
      const item = await add(call, members ?? []);
      return new Outcome(status, await call.create(of, (id) => ({ ...item, id })));
    },
    async update(call) {
      const found = await call.find(of, idOf(call));
      if (found === undefined) return missing(call);
      const changes = await update(call, members ?? [], found);
      const changed = await call.change(of, idOf(call), (item) => ({ ...item, ...changes }));
      return changed === undefined ? missing(call) : shown(changed);
    },
    async delete(call) {
      const deletedOn = new Date(await call.now()).toISOString();
      const found = await call.remove(of, idOf(call));
      return found === undefined ? missing(call) : { ...found, isDeleted: true, deletedOn };
    },
  };
  return renamed(handlers, (name) => name + noun);
}

interface Writes {
  readonly add: (call: Call, members: readonly string[]) => Promise<JsonObject>;
  readonly update: (call: Call, members: readonly string[], found: Item) => Promise<JsonObject>;
  readonly status: number;
}

const pick: Writes['add'] = async (call, members) => pickFrom(await call.body(), members);

/** Empty values change nothing, except for `completed`. */
const merge: Writes['update'] = async (call, members) => {
  const given = Object.entries(pickFrom(await call.body(), members));
  return Object.fromEntries(
    given.filter(([name, value]) => value || (name === 'completed' && value !== undefined)),
  );
};

const ofUser: Pick<Writes, 'add'> = {
  async add(call, members) {
    const body = await call.body();
    await checked(call, 'user', body.userId);
    return pickFrom(body, members);
  },
};

const comments: Partial<Writes> = {
  async add(call) {
    const { body, postId, userId } = await call.body();
    if (!body || typeof body !== 'string') throw fault(400, 'Invalid comment body');
    await checked(call, 'post', postId);
    return { body, postId, user: authorOf(await checked(call, 'user', userId)) };
  },
  async update(call) {
    const { body, postId, userId } = await call.body();
    if (postId) await checked(call, 'post', postId);
    return {
      ...(typeof body === 'string' && body !== '' && { body }),
      ...(postId ? { postId } : {}),
      ...(userId ? { user: authorOf(await checked(call, 'user', userId)) } : {}),
    };
  },
};

/** Fills a template of a user with the members of a body, at any depth. */
function filled(template: JsonObject, body: JsonObject, isBlank: boolean): JsonObject {
  const entries = Object.entries(template).map(([name, own]) => {
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    if (isObject(own)) return [name, filled(own, isObject(given) ? given : {}, isBlank)];
    const blank = typeof own === 'number' ? null : '';
    return [name, given ?? (isBlank ? blank : own)];
  });
  return Object.fromEntries(entries);
}

const users: Partial<Writes> = {
  async add(call) {
    const { id: _id, role: _role, ...template } = collections.users.dataset().rows[0] as Item;
    const body = await call.body();
    return { ...filled(template, body, true), role: body.role ?? 'user' };
  },
  update: async (call, _members, { id: _id, ...found }) => filled(found, await call.body(), false),
};

const notList = 'products must be array of objects, containing product id and quantity';

/** Reads the wanted products of a body, each once; unknown ones are left out. */
async function wantedIn(call: Call, earlier: readonly unknown[] = []) {
  const { products = [] } = await call.body();
  if (!Array.isArray(products)) throw fault(400, notList);
  const quantities = new Map<number, number>();
  for (const each of [...earlier, ...products]) {
    const { id, quantity }: JsonObject = isObject(each) ? each : {};
    quantities.set(Number(id), Number(quantity) || 1);
  }
  const all = await call.list(collections.products);
  return all.flatMap((product) => {
    const quantity = quantities.get(Number(product.id));
    return quantity === undefined ? [] : [{ product, quantity }];
  });
}

const carts: Partial<Writes> = {
  async add(call) {
    const { userId, products = [] } = await call.body();
    await checked(call, 'user', userId);
    if (Array.isArray(products) && products.length === 0)
      throw fault(400, 'products can not be empty');
    return cartOf(0, Number(userId), await wantedIn(call), 'discountedPrice');
  },
  async update(call, _members, found) {
    const { userId, merge: isMerged } = await call.body();
    if (userId) await checked(call, 'user', userId);
    const earlier = isMerged ? (found.products as unknown[]) : [];
    const owner = Number(userId || found.userId);
    return cartOf(Number(found.id), owner, await wantedIn(call, earlier), 'discountedPrice');
  },
};

const namesOf = (name: Name, member: string): string[] => [
  ...new Set(collections[name].dataset().rows.flatMap((item) => item[member] as string | string[])),
];

const slugs = (name: 'products' | 'posts', member: string, path: string) =>
  namesOf(name, member).map((slug) => ({
    slug,
    name: slug.replace(/-/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    url: `${baseMark}/${name}/${path}/${slug}`,
  }));

/** Returns one item, or up to ten different ones. */
const random =
  (name: Name): Handle =>
  async (call) => {
    const items = [...(await call.list(collections[name]))];
    const { length } = call.params;
    const count = length === undefined ? 1 : Number(length);
    if (!(count >= 1 && count <= 10)) return [];
    const chosen = Array.from({ length: Math.trunc(count) }, () =>
      items.splice(Math.floor(Math.random() * items.length), 1),
    ).flat();
    return length === undefined ? chosen[0] : chosen;
  };

const maxMinutes = 30 * 24 * 60;
const shownMembers = ['id', 'username', 'email', 'firstName', 'lastName', 'gender', 'image'];

function minutesIn(expiresInMins: unknown): number {
  const minutes = Number(expiresInMins || 60);
  if (minutes >= 1 && minutes <= maxMinutes) return minutes;
  throw fault(500, `Maximum access token expire time can be ${maxMinutes} minutes`);
}

async function tokensFor(call: Call, user: Item, minutes: number) {
  const claims = pickFrom(user, shownMembers);
  const accessToken = await issueToken(call, claims, minutes * 60);
  const refreshToken = await issueToken(call, { ...claims, use: 'refresh' }, maxMinutes * 60);
  setCookies(call, { accessToken, refreshToken }, minutes * 60);
  return { accessToken, refreshToken };
}

function setCookies(call: Call, values: Readonly<Record<string, string>>, maxAge: number) {
  const secure = call.request.baseUrl.startsWith('https:');
  for (const [name, value] of Object.entries(values)) {
    const cookie = { name, value, path: call.cookiePath, maxAge, httpOnly: true, secure };
    call.reply.header('set-cookie', [setCookieHeader(cookie)]);
  }
}

async function login(call: Call) {
  const { username, password, expiresInMins } = await call.body();
  if (!username || !password) return fault(400, 'Username and password required');
  if (typeof username !== 'string') return fault(400, 'Username is not valid');
  const minutes = minutesIn(expiresInMins);
  const user = (await call.list(collections.users)).find(
    (each) =>
      String(each.username).toLowerCase() === username.toLowerCase() && each.password === password,
  );
  if (user === undefined) return fault(400, 'Invalid credentials');
  return { ...(await tokensFor(call, user, minutes)), ...pickFrom(user, shownMembers) };
}

const faultsOfTokens = {
  expired: fault(401, 'Token Expired!'),
  malformed: fault(401, 'Invalid/Expired Token!'),
  forged: fault(500, 'invalid signature'),
} as const;

async function userOf(call: Call): Promise<Item> {
  const token = (call.header('authorization') ?? call.cookie('accessToken'))?.replace(
    'Bearer ',
    '',
  );
  if (!token) throw fault(401, 'Access Token is required');
  const claims = await readToken(call, token);
  if (typeof claims === 'string') throw faultsOfTokens[claims];
  const user = await call.find(collections.users, String(claims.id));
  if (user === undefined || user.username !== claims.username)
    throw fault(400, 'Invalid access token');
  return user;
}

async function refresh(call: Call) {
  const { refreshToken = call.cookie('refreshToken'), expiresInMins } = await call.body();
  if (!refreshToken) return fault(401, 'Refresh token required');
  const minutes = minutesIn(expiresInMins);
  const claims = await readToken(call, String(refreshToken));
  if (typeof claims === 'string' || claims.use !== 'refresh')
    return fault(403, 'Invalid refresh token');
  const user = await call.find(collections.users, String(claims.id));
  return user === undefined ? fault(403, 'Refresh token expired') : tokensFor(call, user, minutes);
}

async function logout(call: Call) {
  await userOf(call);
  setCookies(call, { accessToken: '', refreshToken: '' }, 0);
  return { message: 'Logged out successfully' };
}

function statusOf({ params }: Call) {
  const { status: text = '', message } = params;
  if (Number.isNaN(numberIn(text))) return fault(500, `Status code '${text}' is invalid`);
  const status = Number(text);
  const title = message ?? STATUS_CODES[status];
  if (title === undefined || status < 200)
    return fault(500, `Status code '${text}' is not supported`);
  if (status === 204 || status === 304) return new Outcome(status);
  const isFailure = status >= 400;
  const problem = isFailure && { title, type: 'about:blank', detail: title };
  const type = isFailure ? 'application/problem+json' : 'application/json';
  return new Outcome(
    status,
    { status, ...problem, message: title },
    { 'content-type': `${type}; charset=utf-8` },
  );
}

function image(call: Call) {
  const size = sizeOf(call.params.size ?? '');
  if (size === undefined) return unknown(call);
  const isTooLarge = size.some((side) => side > maxPictureSide);
  if (isTooLarge)
    return fault(500, `The image must have at most ${maxPictureSide} pixels on each side.`);
  if (size.includes(0)) return fault(500, 'The image has no size.');
  return pictureOf(size, call.params.color ?? call.query('background') ?? '');
}

const unknown = ({ request }: Call) => fault(404, `There is no ${request.method} at this path.`);

const filterUsers = listing('users', (call) => {
  const path = (call.query('key') ?? '').split('.');
  return (item) => {
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      item,
    );
    return Boolean(value) && String(value) === call.query('value');
  };
});

/** Checks the options, and waits as `delay` says, in milliseconds. */
async function before(call: Call) {
  const delay = call.query('delay');
  if (delay && Number.isNaN(Number(delay)))
    return fault(400, 'Delay must be a number in milliseconds');
  if (Number(delay) > 5000) return fault(400, 'Delay cannot be greater than 5 seconds');
  if (Number(delay) < 0) return fault(400, 'Delay cannot be less than 0');
  optionsIn(call);
  await call.wait(Number(delay));
  return undefined;
}

const list = (text: string) => text.split(' ');
const productMembers =
  'title price discountPercentage stock rating images thumbnail description brand category';
const cartMembers = 'products total discountedTotal userId totalProducts totalQuantity';
const recipeMembers =
  'name ingredients instructions prepTimeMinutes cookTimeMinutes servings difficulty cuisine caloriesPerServing tags userId image rating reviewCount mealType';

const declared = declareDialect(
  'dummyjson',
  {
    listProducts: listing('products'),
    searchProducts: searching('products', ['title', 'description']),
    listCategoryNames: () => namesOf('products', 'category'),
    listCategories: () => slugs('products', 'category', 'category'),
    listCategory: having('products', 'category', 'category'),
    ...operations('Product', collections.products, list(productMembers)),
    listCarts: listing('carts'),
    listCartsOfUser: below('user', 'userId', 'carts'),
    ...operations('Cart', collections.carts, list(cartMembers), carts),
    listRecipes: listing('recipes'),
    searchRecipes: searching('recipes', ['name']),
    listRecipeTags: () => namesOf('recipes', 'tags'),
    listRecipesOfTag: having('recipes', 'tags', 'tag'),
    listRecipesOfMeal: having('recipes', 'mealType', 'mealType'),
    ...operations('Recipe', collections.recipes, list(recipeMembers), { status: 200 }),
    listUsers: listing('users'),
    searchUsers: searching('users', ['firstName', 'lastName', 'email', 'username']),
    filterUsers,
    loginUser: login,
    showMe: userOf,
    listUserCarts: below('user', 'userId', 'carts'),
    listUserPosts: below('user', 'userId', 'posts'),
    listUserTodos: below('user', 'userId', 'todos'),
    ...operations('User', collections.users, undefined, users),
    listPosts: listing('posts'),
    searchPosts: searching('posts', ['body']),
    listPostTagNames: () => namesOf('posts', 'tags'),
    listPostTags: () => slugs('posts', 'tags', 'tag'),
    listPostsOfTag: having('posts', 'tags', 'tag'),
    listPostsOfUser: below('user', 'userId', 'posts'),
    listCommentsBelowPost: below('post', 'postId', 'comments'),
    ...operations('Post', collections.posts, list('title body userId tags reactions'), ofUser),
    listComments: listing('comments'),
    listCommentsOfPost: below('post', 'postId', 'comments'),
    ...operations('Comment', collections.comments, list('body postId likes user'), comments),
    listTodos: listing('todos'),
    getRandomTodo: random('todos'),
    getRandomTodos: random('todos'),
    listTodosOfUser: below('user', 'userId', 'todos'),
    ...operations('Todo', collections.todos, list('todo completed userId'), ofUser),
    listQuotes: listing('quotes'),
    getRandomQuote: random('quotes'),
    getRandomQuotes: random('quotes'),
    getQuote: operations('Quote', collections.quotes, []).getQuote as Handle,
    login,
    logout,
    getMe: userOf,
    refresh,
    getStatus: statusOf,
    getStatusWithMessage: statusOf,
    getImage: image,
    getPicture: image,
    getColoredImage: image,
    test: ({ request }) => ({ status: 'ok', method: request.method }),
  },
  { before, unknown, failure: (_status, message) => ({ message }) },
);

/** First segments that mean the same as another. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.keys(collections).map((name) => [name, [name.slice(0, -1)]])),
  http: ['https'],
  image: ['i'],
  test: ['ping', 'health'],
};

export const dialect: Dialect = {
  ...declared,
  routes: declared.routes.flatMap((route) => {
    const [, first = '', ...rest] = route.path.split('/');
    return [first, ...(synonyms[first] ?? [])].map((start) => ({
      ...route,
      path: ['', start, ...rest].join('/'),
    }));
  }),
};
