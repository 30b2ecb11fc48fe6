/** A request that has come to a handler, and the reply to it. */

import type { FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify';

export type Request<Parts extends RouteGenericInterface = RouteGenericInterface> =
  FastifyRequest<Parts>;
export type Reply = FastifyReply;
