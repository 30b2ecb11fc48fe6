/** Rejects upgrades. */

import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { statusCompanions } from '#http/status/status-companions.js';
import { endpoint } from '#kit/endpoint.js';
import { type SocketEndpoint, socketPath, socketSpec } from './socket.js';

export const reject: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Reject the upgrade with this status',
    description: 'Any from 200 to 599, with its required headers; redirects lead to the echo.',
    params: {
      status: Type.Integer({ minimum: 200, maximum: 599, description: 'The status.' }),
    },
    responses: { 200: errorSchema, 426: errorSchema, 503: errorSchema },
    responseHeaders: { 426: socketSpec.responseHeaders[426] },
    handle(request, reply) {
      webSockets.readHandshake(request, reply);
      const { status } = request.params;
      throw new HttpError(status, `Simulated failure: the upgrade was rejected with ${status}.`, {
        headers: statusCompanions(status, {
          location: `${prefixOf(request.raw)}${socketPath}/echo`,
          allow: ['GET', 'HEAD'],
          size: 0,
          isHttp11: true,
        }) as Record<string, string>,
      });
    },
  });
