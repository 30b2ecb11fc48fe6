/** Upgrades that are rejected. */

import { Type } from 'typebox';
import { prefixOf } from '../../http/address/sandbox-address.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { statusCompanions } from '../../http/status/status-companions.js';
import type { Services } from '../../kit/area.js';
import { type SocketHandler, socketPath, socketSchema } from './endpoint.js';

const schema = socketSchema(
  'Reject the upgrade with this status',
  'Any from 200 to 599, with the headers that it should have; redirects lead to the echo.',
);
export const rejectSchema = {
  ...schema,
  params: Type.Object({
    status: Type.Integer({ minimum: 200, maximum: 599, description: 'The status.' }),
  }),
  response: { 200: errorSchema, 426: errorSchema, 503: errorSchema },
  responseHeaders: { 426: schema.responseHeaders[426] },
};

export function rejectHandler({ webSockets }: Services): SocketHandler<object, { status: number }> {
  return async (request, reply) => {
    webSockets.readHandshake(request, reply);
    const { status } = request.params;
    throw new HttpError(status, `The upgrade was rejected with ${status}, as asked for.`, {
      headers: statusCompanions(status, {
        location: `${prefixOf(request.raw)}${socketPath}/echo`,
        allow: ['GET', 'HEAD'],
        size: 0,
        isHttp11: true,
      }) as Record<string, string>,
    });
  };
}
