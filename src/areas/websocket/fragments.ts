/** Messages that come back cut into fragments of chosen sizes: RFC 6455 section 5.4. */

import { Type } from 'typebox';
import { gotParameter } from '../../base/text/got-value.js';
import { HttpError } from '../../http/http-error.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import type { Services } from '../../kit/area.js';
import { cutBySizes, parseFragmentSizes } from './cut-by-sizes.js';
import { type SocketHandler, socketSchema } from './endpoint.js';
import { sendFragments } from './send-fragments.js';

interface FragmentsQuery {
  readonly sizes: string;
}

export const fragmentsSchema = socketSchema(
  'Echo messages in fragments of these sizes',
  'What is left of a message is its last fragment; of a short message fragments are missing. A size of 0 is an empty fragment. Characters are cut like any bytes.',
  {
    sizes: Type.String({
      default: '1,2,3',
      maxLength: 1000,
      description: 'Bytes of each fragment by comma: at most 100, each from 0 to 1048576.',
    }),
  },
  { 400: errorSchema },
);

export function fragmentsHandler({ webSockets }: Services): SocketHandler<FragmentsQuery> {
  return async (request, reply) => {
    webSockets.readHandshake(request, reply);
    const sizes = parseFragmentSizes(request.query.sizes);
    if (sizes === undefined) {
      const message = `sizes must be integers separated by commas, at most 100, each from 0 to 1048576, such as 1,2,3${gotParameter('sizes', request.query.sizes)}.`;
      throw new HttpError(400, message, { body: { errors: [{ field: 'sizes', message }] } });
    }
    return webSockets.accept(request, reply, (socket) => {
      socket.eachMessage(({ data, isBinary }) =>
        sendFragments(socket, data, isBinary, cutBySizes(data.length, sizes)),
      );
    });
  };
}
