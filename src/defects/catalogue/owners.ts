/** Defects of records that belong to users: one user reaches what belongs to another. */

import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Request } from '#http/exchange.js';
import {
  initialOrders,
  type OrderBook,
  type OwnedOrder,
  ordersSpace,
  type UserRole,
} from '#kit/sandbox/orders-of-users.js';
import type { SandboxChanges } from '#state/copy/changed-sandbox.js';
import { changeQuery, claimsOf, isMembers, losesWrites, type Members } from '../change-request.js';
import { defectsOf } from '../defect.js';

const path = '/api/auth/jwt/orders';
const ofOrders = [path];

const roleClaim = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';

/** Changes the orders that an endpoint reads, and those that it writes. */
const changeBook = (
  read: (book: OrderBook) => OrderBook,
  write: (written: OrderBook, before: OrderBook) => OrderBook,
): SandboxChanges => {
  let before = initialOrders;
  return {
    read(space, value) {
      if (space !== ordersSpace.name) return value;
      before = (value as OrderBook | undefined) ?? initialOrders;
      const changed = read(before);
      return isDeepStrictEqual(changed, before) ? value : changed;
    },
    write(asked) {
      if (asked.space !== ordersSpace.name) return asked;
      return { ...asked, value: write(asked.value as OrderBook, before), options: {} };
    },
  };
};

/** All orders belong to the user of the request, but only for this request. */
function asOwner(request: Request): SandboxChanges {
  const owner = claimsOf(request)[roleClaim] as UserRole;
  return changeBook(
    (book) => ({ ...book, orders: book.orders.map((order) => ({ ...order, owner })) }),
    (written, { orders }) => ({
      ...written,
      orders: written.orders.map((order) => ({
        ...order,
        owner: orders.find(({ id }) => id === order.id)?.owner ?? order.owner,
      })),
    }),
  );
}

/** Customers are staff, but only for this request. */
const asStaff = () =>
  changeBook(
    (book) => ({ ...book, staff: [...book.staff, 'user'] }),
    (written, { staff }) => ({ ...written, staff }),
  );

/** Members that no client may set, by the request that sent them. */
const extraMembers = new WeakMap<Request, Members>();

const takeMember =
  (name: string) =>
  (bytes: Buffer, request: Request): Buffer => {
    try {
      const body: unknown = JSON.parse(bytes.toString());
      if (!isMembers(body) || !Object.hasOwn(body, name)) return bytes;
      const { [name]: value, ...rest } = body;
      extraMembers.set(request, { [name]: value });
      return Buffer.from(JSON.stringify(rest));
    } catch {
      return bytes;
    }
  };

const isStatus = (value: unknown): value is OwnedOrder['status'] =>
  value === 'open' || value === 'approved';
const isRole = (value: unknown): value is UserRole => value === 'user' || value === 'admin';

/** Writes the extra members into the order that the request has changed or added. */
const withExtra = (allowed: (extra: Members) => Partial<OwnedOrder>) => (request: Request) =>
  changeBook(
    (book) => book,
    (written, { orders }) => {
      const isSame = (order: OwnedOrder) =>
        orders.some(({ id, version }) => id === order.id && version === order.version);
      const extra = allowed(extraMembers.get(request) ?? {});
      return {
        ...written,
        orders: written.orders.map((order) => (isSame(order) ? order : { ...order, ...extra })),
      };
    },
  );

/** Cards of the orders that a request has read. */
const cards = new WeakMap<Request, ReadonlyMap<number, string>>();

/** Time between the check of a tag and the change, in which another request passes the same check. */
const gapMs = 30;

const nowMs = () => performance.timeOrigin + performance.now();

/** An order that changed after the arrival of the request has the tag that it had before. */
function withTagOf(arrivedMs: number) {
  return (order: OwnedOrder): OwnedOrder => {
    const isLater = order.version > 1 && order.changedAtMs >= arrivedMs;
    return isLater ? { ...order, version: order.version - 1 } : order;
  };
}

export const ownerDefects = defectsOf('Records of users', {
  'orders-of-others-readable': {
    level: 'middle',
    kind: 'object-level-authorization',
    endpoints: [`GET ${path}/:id`],
    wrong: 'The order of another user can be read by its id.',
    right: 'The order of another user gets 404.',
    state: asOwner,
  },
  'orders-of-others-changeable': {
    level: 'middle',
    kind: 'object-level-authorization',
    endpoints: [`PATCH ${path}/:id`],
    wrong: 'The order of another user can be changed by its id.',
    right: 'The order of another user gets 404.',
    stores: ofOrders,
    state: asOwner,
  },
  'orders-of-others-deletable': {
    level: 'middle',
    kind: 'object-level-authorization',
    endpoints: [`DELETE ${path}/:id`],
    wrong: 'The order of another user can be deleted by its id.',
    right: 'The order of another user gets 404.',
    stores: ofOrders,
    state: asOwner,
  },
  'orders-status-writable': {
    level: 'middle',
    kind: 'property-level-authorization',
    endpoints: [`PATCH ${path}/:id`],
    wrong: 'A customer can set status, and so approve an order.',
    right: 'Other fields than quantity and deliverTo get 400.',
    stores: ofOrders,
    body: takeMember('status'),
    state: withExtra(({ status }) => (isStatus(status) ? { status } : {})),
    after(response, request) {
      const { status } = extraMembers.get(request) ?? {};
      const { json } = response;
      if (isStatus(status) && response.status === 200) response.json = { ...json, status };
    },
  },
  'orders-owner-writable': {
    level: 'middle',
    kind: 'property-level-authorization',
    endpoints: [`POST ${path}`],
    wrong: 'With the field owner, an order is placed in the name of another user.',
    right: 'Other fields than item, quantity and deliverTo get 400.',
    stores: ofOrders,
    body: takeMember('owner'),
    state: withExtra(({ owner }) => (isRole(owner) ? { owner } : {})),
  },
  'orders-cards-readable': {
    level: 'middle',
    kind: 'property-level-authorization',
    endpoints: [`GET ${path}`],
    wrong: 'card has all digits of the card.',
    right: 'card has only the last four digits.',
    state: (request) =>
      changeBook(
        (book) => {
          cards.set(request, new Map(book.orders.map(({ id, card }) => [id, card])));
          return book;
        },
        (written) => written,
      ),
    after(response, request) {
      const { json } = response;
      const known = cards.get(request);
      if (!Array.isArray(json) || known === undefined) return;
      response.json = json.map((order) => ({ ...order, card: known.get(order.id) }));
    },
  },
  'me-password-readable': {
    level: 'middle',
    kind: 'property-level-authorization',
    endpoints: ['GET /api/auth/jwt/me'],
    wrong: 'The response has the hash of the password.',
    right: 'The response has username, role, name, email and claims.',
    after(response) {
      const { json } = response;
      if (response.status !== 200 || !isMembers(json)) return;
      response.json = { ...json, passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' };
    },
  },
  'orders-approved-by-customers': {
    level: 'middle',
    kind: 'function-level-authorization',
    endpoints: [`POST ${path}/:id/approve`],
    wrong: 'A customer can approve an order.',
    right: 'Other roles than admin get 403.',
    stores: ofOrders,
    state: asStaff,
  },
  'orders-of-all-for-customers': {
    level: 'middle',
    kind: 'function-level-authorization',
    endpoints: [`GET ${path}/all`],
    wrong: 'A customer gets the orders of all users.',
    right: 'Other roles than admin get 403.',
    state: asStaff,
  },
  'orders-limit-unbounded': {
    level: 'middle',
    kind: 'resource-consumption',
    endpoints: [`GET ${path}`],
    wrong: 'Any limit is accepted.',
    right: 'A limit of more than 100 gets 400.',
    before: changeQuery((query) => {
      if (/^\d{3,9}$/.test(query.get('limit') ?? '')) query.set('limit', '100');
    }),
  },
  'orders-cached-by-proxies': {
    level: 'middle',
    kind: 'caching',
    endpoints: [`GET ${path}/:id`],
    wrong: 'Shared caches may store the order, and send it to others.',
    right: 'The response has Cache-Control: no-store.',
    after(response) {
      if (response.status === 200) response.setHeader('cache-control', 'public, max-age=300');
    },
  },
  'orders-in-local-time': {
    level: 'senior',
    kind: 'time',
    endpoints: [`GET ${path}/:id`],
    wrong: 'placedAt has the local time of the server, one hour later, with the Z of UTC.',
    right: 'placedAt is the time in UTC, as in the list.',
    after(response) {
      const { json } = response;
      if (typeof json?.placedAt !== 'string') return;
      const local = new Date(Date.parse(json.placedAt) + 3_600_000).toISOString();
      response.json = { ...json, placedAt: local.replace('.000Z', 'Z') };
    },
  },
  'orders-lost-update-at-once': {
    level: 'senior',
    kind: 'concurrency',
    endpoints: [`PATCH ${path}/:id`],
    wrong: 'Two changes at once with the same If-Match both succeed, and one of them is lost.',
    right: 'Of two changes with the same If-Match, one gets 412.',
    stores: ofOrders,
    isAtOnce: true,
    input: () => wait(gapMs),
    state() {
      const tagged = withTagOf(nowMs());
      return changeBook(
        (book) => ({ ...book, orders: book.orders.map(tagged) }),
        (written) => written,
      );
    },
  },
  'jwt-logout-lost': {
    level: 'senior',
    kind: 'authentication',
    endpoints: ['POST /api/auth/jwt/logout'],
    wrong: 'The response is 204, but the refresh token remains valid.',
    right: 'The logout revokes every refresh token of the login.',
    stores: ['/api/auth/jwt'],
    shownBy: ({ body }) => ({
      method: 'POST',
      target: '/api/auth/jwt/refresh',
      headers: { 'content-type': 'application/json' },
      body,
    }),
    state: losesWrites,
  },
});
