/** Orders that belong to users: an order is visible only to its owner, and to staff. */

import type { Space } from '#state/state.js';

export type UserRole = 'admin' | 'user';

export interface OwnedOrder {
  readonly id: number;
  readonly owner: UserRole;
  readonly item: string;
  readonly quantity: number;
  readonly status: 'open' | 'approved';
  /** ISO 8601 in UTC. */
  readonly placedAt: string;
  readonly deliverTo: string;
  /** Responses show only its last four digits. */
  readonly card: string;
  /** Increases with each change. */
  readonly version: number;
  /** Real time of the last change, in milliseconds with fractions. */
  readonly changedAtMs: number;
}

export interface OrderBook {
  readonly orders: readonly OwnedOrder[];
  readonly nextId: number;
  /** Roles that may approve and list the orders of all users. */
  readonly staff: readonly UserRole[];
}

export const ordersSpace: Space<OrderBook> = { name: 'orders-of-users', maxKeys: 1 };
export const ordersKey = 'all';

const initial = { status: 'open', version: 1, changedAtMs: 0 } as const;

export const initialOrders: OrderBook = {
  orders: [
    {
      ...{ id: 1, owner: 'user', item: 'Desk lamp', quantity: 2, ...initial },
      ...{ placedAt: '2026-03-28T23:30:00Z', deliverTo: 'Uma User, 1 Hill Road, Bristol' },
      card: '4000002760003184',
    },
    {
      ...{ id: 2, owner: 'user', item: 'Paper, A4', quantity: 10, ...initial },
      ...{ placedAt: '2026-04-02T09:15:00Z', deliverTo: 'Uma User, 1 Hill Road, Bristol' },
      card: '4000002760003184',
    },
    {
      ...{ id: 3, owner: 'admin', item: 'Server rack', quantity: 1, ...initial },
      ...{ placedAt: '2026-01-15T16:45:00Z', deliverTo: 'Ada Admin, 7 Quay Street, Leith' },
      card: '5200828282828210',
    },
  ],
  nextId: 4,
  staff: ['admin'],
};
