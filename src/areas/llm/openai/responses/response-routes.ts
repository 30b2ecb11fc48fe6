/** Endpoints of stored responses. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { unvalidated } from '#kit/endpoint.js';
import { record } from '../../judge/watch.js';
import type { ProviderRoute } from '../../messages/provider.js';
import { checkQuery } from './check-query.js';
import { listItems } from './list-items.js';
import { deletedResponse, itemList, response } from './response-schema.js';
import {
  cancelResponse,
  countRead,
  deleteResponse,
  findResponse,
  shownResponse,
} from './stored-responses.js';

const path = '/responses/:response';
const params = { response: Type.String() };

/** Reads that a page may need to show that the response was cancelled. */
const maxLateReads = 3;

export const responseRoutes: readonly ProviderRoute[] = [
  {
    method: 'GET',
    path,
    isHidden: true,
    summary: 'Get a stored response',
    response: response.schema,
    description: 'A response in the background is complete after one second.',
    params,
    async handle({ request }) {
      const { sandbox, method, url } = request;
      checkQuery(request.query);
      const read = method === 'GET' ? countRead : findResponse;
      const stored = await read(sandbox, idOf(request));
      if (method === 'GET' && (stored.lateReads ?? 0) > maxLateReads) {
        await record(request, { 'stops-after-cancel': false }, `GET ${url.split('?', 1)[0]}`);
      }
      return shownResponse(stored, await sandbox.now());
    },
  },
  {
    method: 'DELETE',
    path,
    isHidden: true,
    summary: 'Delete a stored response',
    response: deletedResponse.schema,
    params,
    async handle({ request }) {
      const id = idOf(request);
      await deleteResponse(request.sandbox, id);
      return { id, object: 'response', deleted: true };
    },
  },
  {
    method: 'POST',
    path: `${path}/cancel`,
    isHidden: true,
    summary: 'Cancel a response in the background',
    response: response.schema,
    params,
    async handle({ request }) {
      const cancelled = await cancelResponse(request.sandbox, idOf(request));
      if (cancelled.status === 'cancelled') {
        await record(request, { 'stops-after-cancel': true }, '');
      }
      return cancelled;
    },
  },
  {
    method: 'GET',
    path: `${path}/input_items`,
    isHidden: true,
    summary: 'List the input of a stored response',
    response: itemList.schema,
    params,
    query: unvalidated({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
      order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
      after: Type.Optional(Type.String()),
    }),
    async handle({ request }) {
      const { items } = await findResponse(request.sandbox, idOf(request));
      return listItems(items, request.query);
    },
  },
];

function idOf({ params }: Request): string {
  return (params as { readonly response: string }).response;
}
