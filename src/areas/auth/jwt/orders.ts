/** Orders of the users of JWTs: each user reads and changes only their own. */

import { Type } from 'typebox';
import { checkPreconditions, type Preconditions } from '#http/caching/conditional.js';
import { HttpError } from '#http/http-error.js';
import {
  initialOrders,
  type OrderBook,
  type OwnedOrder,
  ordersKey,
  ordersSpace,
  type UserRole,
} from '#kit/sandbox/orders-of-users.js';
import type { Sandbox, Transaction } from '#state/state.js';

export const maxOrders = 100;

export const orderSchema = Type.Object(
  {
    id: Type.Integer(),
    item: Type.String(),
    quantity: Type.Integer(),
    status: Type.String({ enum: ['open', 'approved'] }),
    placedAt: Type.String({ description: 'ISO 8601 in UTC.' }),
    deliverTo: Type.String(),
    card: Type.String({ description: 'The last four digits.' }),
  },
  { title: 'Order' },
);

export function orderView({ id, item, quantity, status, placedAt, deliverTo, card }: OwnedOrder) {
  return { id, item, quantity, status, placedAt, deliverTo, card: `**** ${card.slice(-4)}` };
}

export const tagOf = ({ version }: OwnedOrder) => `"${version}"`;

export const ordersOf = async (sandbox: Sandbox): Promise<OrderBook> =>
  (await sandbox.read(ordersSpace, ordersKey)) ?? initialOrders;

const readOrders = (view: Transaction) => view.read(ordersSpace, ordersKey) ?? initialOrders;

/** Throws 404 for the order of another user, as for an unknown one. */
export function ownOrder({ orders }: OrderBook, id: number, owner: UserRole): OwnedOrder {
  const found = orders.find((order) => order.id === id && order.owner === owner);
  if (found === undefined) throw noOrder(id);
  return found;
}

const noOrder = (id: number) => new HttpError(404, `You have no order ${id}.`);

/** Parts of an order that its owner chooses. */
export type OrderFields = Pick<OwnedOrder, 'item' | 'quantity' | 'deliverTo'>;

export function addOrder(view: Transaction, owner: UserRole, fields: OrderFields): OwnedOrder {
  const book = readOrders(view);
  if (book.orders.length >= maxOrders) {
    throw new HttpError(409, `There are ${maxOrders} orders, the limit. Delete some.`);
  }
  const order: OwnedOrder = {
    ...{ id: book.nextId, owner, ...fields, status: 'open', version: 1 },
    ...{ placedAt: new Date(view.nowMs).toISOString(), card: '4000002760003184' },
    changedAtMs: realTimeMs(),
  };
  const orders = [...book.orders, order];
  view.write(ordersSpace, ordersKey, { ...book, orders, nextId: book.nextId + 1 });
  return order;
}

/** Changes an order of its owner, if the preconditions hold. */
export function changeOrder(
  view: Transaction,
  id: number,
  owner: UserRole,
  change: { readonly fields: Partial<OrderFields>; readonly conditions: Preconditions },
): OwnedOrder {
  const book = readOrders(view);
  const order = ownOrder(book, id, owner);
  if (checkPreconditions(change.conditions, { entityTag: tagOf(order) }) === 412) {
    throw new HttpError(412, 'The order has changed: If-Match does not have its entity tag.');
  }
  return replace(view, book, { ...order, ...change.fields });
}

export function removeOrder(view: Transaction, id: number, owner: UserRole): void {
  const book = readOrders(view);
  ownOrder(book, id, owner);
  const orders = book.orders.filter((order) => order.id !== id);
  view.write(ordersSpace, ordersKey, { ...book, orders });
}

export function approveOrder(view: Transaction, id: number): OwnedOrder {
  const book = readOrders(view);
  const order = book.orders.find((each) => each.id === id);
  if (order === undefined) throw new HttpError(404, `There is no order ${id}.`);
  return replace(view, book, { ...order, status: 'approved' });
}

function replace(view: Transaction, book: OrderBook, order: OwnedOrder): OwnedOrder {
  const changed = { ...order, version: order.version + 1, changedAtMs: realTimeMs() };
  const orders = book.orders.map((each) => (each.id === order.id ? changed : each));
  view.write(ordersSpace, ordersKey, { ...book, orders });
  return changed;
}

/** Tells apart what happens in one millisecond. */
const realTimeMs = () => performance.timeOrigin + performance.now();
