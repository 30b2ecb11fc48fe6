/** WebSocket (RFC 6455, with the compression of RFC 7692): practice sockets. */

import type { Area } from '#kit/area.js';
import { nameOperation } from '#kit/describe/name-operation.js';
import { type TokenOwner, tokenOwnerToken } from '#kit/offers/credentials.js';
import { auth, createTicket } from './auth.js';
import { broken } from './broken.js';
import { close } from './close.js';
import { echo, fragments, silent } from './echo.js';
import { protocols } from './protocols.js';
import { pings, push } from './push.js';
import { reject } from './reject.js';
import { room } from './room.js';
import { rpc } from './rpc.js';
import { slow } from './slow.js';
import { type SocketEndpoint, socketPath } from './socket.js';

const socketsWith = (
  tokenOwner: TokenOwner | undefined,
): Readonly<Record<string, SocketEndpoint>> => ({
  echo,
  push,
  close,
  silent,
  pings,
  slow,
  fragments,
  protocols,
  ...(tokenOwner && { auth: auth(tokenOwner) }),
  'room/:name': room,
  rpc,
  'refuse/:status': reject,
  'broken/:kind': broken,
});

const pathOf = (name: string) => `${socketPath}/${name}`;

/** Collections send requests and wait for responses, so they cannot go beyond the upgrade. */
const leftOut = Object.keys(socketsWith(() => undefined)).map((name) =>
  nameOperation('GET', pathOf(name)),
);

export const websocketArea: Area = {
  name: 'websocket',
  title: 'WebSocket',
  guide: 'realtime/websocket',
  summary: 'Sockets that echo, push, close, ignore pings or break the protocol, and chat rooms.',
  front: {
    group: 'events',
    start: socketPath,
    index: socketPath,
    examples: () => [
      {
        title: 'Send a request without an upgrade, and read how to connect',
        method: 'GET',
        path: `${socketPath}/echo`,
        response: { status: 426, headers: ['Upgrade'], has: 'websocket' },
      },
    ],
  },
  postman: [
    {
      leftOut: {
        ...Object.fromEntries(leftOut.map((name) => [name, 'It needs a WebSocket client.'])),
        [nameOperation('POST', pathOf('tickets'))]: 'Only a WebSocket client can use its ticket.',
      },
    },
  ],
  needs: [tokenOwnerToken],
  endpoints({ limits }, offered) {
    const tokenOwner = offered.one(tokenOwnerToken);
    return [
      ...Object.entries(socketsWith(tokenOwner)).map(([name, endpointOf]) =>
        endpointOf(pathOf(name), limits),
      ),
      ...(tokenOwner === undefined ? [] : [createTicket(tokenOwner)]),
    ];
  },
};
