/** Endpoints of orders that belong to the user of an access token. */

import { Type } from 'typebox';
import { preconditionsOf } from '#http/caching/conditional.js';
import type { Request } from '#http/exchange.js';
import { errorSchema, failures } from '#http/schemas/error-schema.js';
import { challenge, entityTag, ifMatch, location } from '#http/schemas/header-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { OrderBook } from '#kit/sandbox/orders-of-users.js';
import { insufficientScope } from '../bearer-token.js';
import type { JwtIssuer } from './issuer.js';
import {
  addOrder,
  approveOrder,
  changeOrder,
  maxOrders,
  orderSchema,
  ordersOf,
  orderView,
  ownOrder,
  removeOrder,
  tagOf,
} from './orders.js';
import type { JwtUser } from './users.js';

const path = '/api/auth/jwt/orders';
const params = { id: Type.Integer({ minimum: 1, maximum: 999_999_999 }) };
const security = [{ jwt: [] }];

const item = Type.String({ minLength: 1, maxLength: 100 });
const quantity = Type.Integer({ minimum: 1, maximum: 1000 });
const deliverTo = Type.String({ minLength: 1, maxLength: 200 });

const listSchema = Type.Array(orderSchema);

const userOf = async (issuer: JwtIssuer, request: Request) => (await issuer.identify(request)).user;

const listOrders = (issuer: JwtIssuer) =>
  endpoint('GET', path, {
    summary: 'List your orders',
    description: 'Only the orders of the user of the access token. The sandbox begins with three.',
    security,
    query: {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxOrders, default: maxOrders })),
    },
    responses: { 200: listSchema, 401: errorSchema },
    async handle(request) {
      const { role } = await userOf(issuer, request);
      const { orders } = await ordersOf(request.sandbox);
      const own = orders.filter(({ owner }) => owner === role);
      return own.slice(0, request.query.limit).map(orderView);
    },
  });

const listAll = (issuer: JwtIssuer) =>
  endpoint('GET', `${path}/all`, {
    summary: 'List the orders of all users',
    description: 'Other roles than admin get 403.',
    security,
    responses: { 200: listSchema, 401: errorSchema, 403: errorSchema },
    responseHeaders: { 403: challenge },
    async handle(request) {
      const user = await userOf(issuer, request);
      const book = await ordersOf(request.sandbox);
      requireStaff(book, user);
      return book.orders.map(orderView);
    },
  });

const postOrder = (issuer: JwtIssuer) =>
  endpoint('POST', path, {
    summary: 'Create an order',
    description: `A sandbox has at most ${maxOrders}.`,
    security,
    body: Type.Object({ item, quantity, deliverTo }, { additionalProperties: false }),
    responses: { 201: orderSchema, ...failures(401, 409) },
    responseHeaders: { 201: { ...location, ...entityTag } },
    async handle(request, reply) {
      const { role } = await userOf(issuer, request);
      const order = await request.sandbox.transact((view) => addOrder(view, role, request.body));
      reply.code(201).header('location', `${request.baseUrl}${path}/${order.id}`);
      reply.header('etag', tagOf(order));
      return orderView(order);
    },
  });

const getOrder = (issuer: JwtIssuer) =>
  endpoint('GET', `${path}/:id`, {
    summary: 'Get an order of yours',
    description: 'The order of another user gets 404, like an unknown one.',
    security,
    params,
    responses: { 200: orderSchema, ...failures(401, 404) },
    responseHeaders: { 200: entityTag },
    async handle(request, reply) {
      const { role } = await userOf(issuer, request);
      const order = ownOrder(await ordersOf(request.sandbox), request.params.id, role);
      reply.header('etag', tagOf(order));
      return orderView(order);
    },
  });

const patchOrder = (issuer: JwtIssuer) =>
  endpoint('PATCH', `${path}/:id`, {
    summary: 'Change an order of yours',
    description: 'Of several changes with the same If-Match, only one succeeds.',
    security,
    params,
    headers: ifMatch,
    body: Type.Object(
      { quantity: Type.Optional(quantity), deliverTo: Type.Optional(deliverTo) },
      { additionalProperties: false },
    ),
    responses: { 200: orderSchema, ...failures(401, 404, 412) },
    responseHeaders: { 200: entityTag },
    async handle(request, reply) {
      const { role } = await userOf(issuer, request);
      const change = { fields: request.body, conditions: preconditionsOf(request) };
      const order = await request.sandbox.transact((view) =>
        changeOrder(view, request.params.id, role, change),
      );
      reply.header('etag', tagOf(order));
      return orderView(order);
    },
  });

const deleteOrder = (issuer: JwtIssuer) =>
  endpoint('DELETE', `${path}/:id`, {
    summary: 'Delete an order of yours',
    security,
    params,
    responses: { 204: Type.Null(), ...failures(401, 404) },
    async handle(request, reply) {
      const { role } = await userOf(issuer, request);
      await request.sandbox.transact((view) => removeOrder(view, request.params.id, role));
      return reply.code(204).send(null);
    },
  });

const approve = (issuer: JwtIssuer) =>
  endpoint('POST', `${path}/:id/approve`, {
    summary: 'Approve an order of any user',
    description: 'Other roles than admin get 403.',
    security,
    params,
    responses: { 200: orderSchema, ...failures(401, 403, 404) },
    responseHeaders: { 403: challenge },
    async handle(request) {
      const user = await userOf(issuer, request);
      requireStaff(await ordersOf(request.sandbox), user);
      return orderView(
        await request.sandbox.transact((view) => approveOrder(view, request.params.id)),
      );
    },
  });

function requireStaff({ staff }: OrderBook, { role }: JwtUser): void {
  if (staff.includes(role)) return;
  throw insufficientScope(
    `This endpoint requires the role ${staff.join(' or ')}; the user has the role ${role}`,
  );
}

export const orderEndpoints = (issuer: JwtIssuer) => [
  ...[listOrders(issuer), listAll(issuer), postOrder(issuer), getOrder(issuer)],
  ...[patchOrder(issuer), deleteOrder(issuer), approve(issuer)],
];
