/** WebSocket (RFC 6455, with the compression of RFC 7692): a table of sockets to practise against. */

import type { EndpointSchema } from '../../kit/app.js';
import type { Area, Services } from '../../kit/area.js';
import { nameOperation } from '../../kit/describe/name-operation.js';
import { authHandler, authSchema } from './auth.js';
import { brokenHandler, brokenSchema } from './broken.js';
import { closeHandler, closeSchema } from './close.js';
import { echoHandler, echoSchema } from './echo.js';
import { type SocketHandler, socketPath } from './endpoint.js';
import { fragmentsHandler, fragmentsSchema } from './fragments.js';
import { pingsHandler, pingsSchema, silentHandler, silentSchema } from './pings.js';
import { protocolsHandler, protocolsSchema } from './protocols.js';
import { pushHandler, pushSchema } from './push.js';
import { rejectHandler, rejectSchema } from './reject.js';
import { roomHandler, roomSchema } from './room.js';
import { rpcHandler, rpcSchema } from './rpc.js';
import { slowHandler, slowSchema } from './slow.js';
import { ticketHandler, ticketSchema } from './tickets.js';

// biome-ignore lint/suspicious/noExplicitAny: what a handler gets is what its schema beside it says
type Endpoint = readonly [string, EndpointSchema, (services: Services) => SocketHandler<any, any>];

const sockets: readonly Endpoint[] = [
  ['echo', echoSchema, echoHandler],
  ['push', pushSchema, pushHandler],
  ['close', closeSchema, closeHandler],
  ['silent', silentSchema, silentHandler],
  ['pings', pingsSchema, pingsHandler],
  ['slow', slowSchema, slowHandler],
  ['fragments', fragmentsSchema, fragmentsHandler],
  ['protocols', protocolsSchema, protocolsHandler],
  ['auth', authSchema, authHandler],
  ['room/:name', roomSchema, roomHandler],
  ['rpc', rpcSchema, rpcHandler],
  ['refuse/:status', rejectSchema, rejectHandler],
  ['broken/:kind', brokenSchema, brokenHandler],
];

/** Collections send requests and wait for their responses, which leads no further than the upgrade. */
const leftOut = [
  ...sockets.map(([path]) => ['GET', path] as const),
  ['POST', 'tickets'] as const,
].map(([method, path]) => [
  nameOperation(method, `${socketPath}/${path}`),
  'It needs a client that speaks WebSocket.',
]);

export const websocketArea: Area = {
  name: 'websocket',
  title: 'WebSocket',
  guide: 'realtime/websocket',
  front: {
    start: socketPath,
    index: socketPath,
    examples: () => [
      {
        title: 'Send a request without an upgrade, and be told how',
        method: 'GET',
        path: `${socketPath}/echo`,
        answer: { status: 426, headers: ['Upgrade'], has: 'websocket' },
      },
    ],
  },
  summary: 'Sockets that echo, push, close, keep quiet or break the protocol, and rooms.',
  postman: [{ leftOut: Object.fromEntries(leftOut) }],
  addRoutes(app, services) {
    for (const [path, schema, handler] of sockets) {
      const config = path === 'echo' ? { delaysItself: true as const } : {};
      app.get(`${socketPath}/${path}`, { schema, config }, handler(services));
    }
    app.post(`${socketPath}/tickets`, { schema: ticketSchema }, ticketHandler(services));
  },
};
