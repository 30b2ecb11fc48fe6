/** Lawful ways and near misses of the track streams. */

import type { Cases } from '../../challenge.js';

const clock = 'GET /api/sse/clock?count=3&interval=0';
const after = (id: number | string) => `${clock} | Last-Event-ID: ${id}`;
const asEvents = ' | Accept: text/event-stream';
const countdown = 'subscription { countdown(from: 1, interval: 0.1) }';
const ticket = 'POST /api/ws/tickets | Authorization: Bearer demo-user-token';
const trailers = 'GET /api/http/trailers | TE: trailers';

const events: Readonly<Record<string, Cases>> = {
  'streams-events': {
    accepts: [
      `${clock}${asEvents}`,
      `${clock} | Accept: Text/Event-Stream;q=0.9, */*;q=0.1`,
      `GET /api/sse/clock?interval=0&count=3&event=tick${asEvents}`,
    ],
    rejects: [
      ['does not request', clock],
      ['3 events', `GET /api/sse/clock?count=1&interval=0${asEvents}`],
      ['does not request', `${clock} | Accept: */*`],
      ['does not request', `${clock} | Accept: application/json, text/event-stream;q=0`],
    ],
  },
  'streams-resume': {
    accepts: [
      `${clock} && ${after(2)}`,
      `${clock} && ${clock}&lastEventId=1`,
      `${clock}&dropAfter=1 && ${after(1)}`,
      `${clock} && ${after(3)}`,
    ],
    rejects: [
      ['not after an event', `${clock} && ${clock}`],
      ['not begin at its first', after(2)],
      ['not sent an event', `${clock} && ${after(20)}`],
      ['not sent an event', `${clock}&dropAfter=1 && ${after(2)}`],
    ],
  },
  'streams-done': {
    accepts: [
      `${clock} && ${after(3)}`,
      `${clock} && ${clock}&lastEventId=3`,
      `${clock} && ${after(1)} && ${after(3)}`,
    ],
    rejects: [
      ['More events follow', `${clock} && ${after(1)}`],
      ['not begin at its first', after(3)],
      ['not sent an event', `${clock} && ${after(99)}`],
    ],
  },
  'streams-subscription': {
    accepts: [
      `POST /graphql${asEvents} | gql ${countdown}`,
      `GET /graphql?query=<<encode ${countdown}>>${asEvents}`,
      `POST /graphql | Accept: text/event-stream, application/json;q=0.1 | gql query A { __typename } ${countdown.replace('subscription', 'subscription B')} | with {"operationName":"B"}`,
    ],
    rejects: [
      ['no subscription', `POST /graphql${asEvents} | gql { __typename }`],
      ['no event stream', `POST /graphql | gql ${countdown}`],
      [
        'no subscription',
        `POST /graphql${asEvents} | gql query A { __typename } ${countdown.replace('subscription', 'subscription B')} | with {"operationName":"A"}`,
      ],
    ],
  },
};

const bodies: Readonly<Record<string, Cases>> = {
  'streams-lines': {
    accepts: [
      'GET /api/http/stream/5',
      'GET /api/http/stream/5?interval=0',
      'GET /api/http/stream/5 | Accept: application/x-ndjson',
    ],
    rejects: [
      ['not 5 lines', 'GET /api/http/stream/3'],
      ['not 5 lines', 'GET /api/http/stream/50'],
      ['status 200', 'GET /api/http/stream/5?error=503'],
    ],
  },
  'streams-trailers': {
    accepts: [
      `${trailers} | Connection: TE`,
      `${trailers} | Connection: close, te`,
      'GET /api/http/trailers | te: deflate;q=0.5, trailers | connection: te',
    ],
    rejects: [
      ['Nothing in this request', 'GET /api/http/trailers'],
      ['does not name TE', trailers],
      ['Nothing in this request', 'GET /api/http/trailers | TE: deflate | Connection: TE'],
    ],
  },
  'streams-chunked': {
    accepts: [
      'POST /api/methods/post | Transfer-Encoding: chunked | text x',
      'POST /api/methods/post | Transfer-Encoding: chunked | {"a":1}',
      'POST /api/methods/post | text x && POST /api/methods/post | transfer-encoding: Chunked | form a=b',
    ],
    rejects: [
      ['announced the length', 'POST /api/methods/post | text x'],
      ['is empty', 'POST /api/methods/post'],
      ['is empty', 'POST /api/methods/post | Transfer-Encoding: chunked'],
    ],
  },
};

const sockets: Readonly<Record<string, Cases>> = {
  'streams-websocket': {
    accepts: [
      'upgrade /api/ws/echo',
      'upgrade /api/ws/echo | Upgrade: WebSocket',
      'GET /api/ws/echo && upgrade /api/ws/echo | Origin: http://a.example',
    ],
    rejects: [
      ['no handshake', 'GET /api/ws/echo'],
      ['no handshake', 'GET /api/ws/echo | Upgrade: h2c | Connection: Upgrade'],
      ['status 101', 'upgrade /api/ws/echo | Sec-WebSocket-Version: 12'],
    ],
  },
  'streams-subprotocol': {
    accepts: [
      'upgrade /api/ws/protocols | Sec-WebSocket-Protocol: chat.v1',
      'upgrade /api/ws/protocols | Sec-WebSocket-Protocol: chat.v3, chat.v1',
      'upgrade /api/ws/protocols | Sec-WebSocket-Protocol: chat.v1, chat.v2',
    ],
    rejects: [
      ['no subprotocol', 'upgrade /api/ws/protocols'],
      ['chosen none', 'upgrade /api/ws/protocols | Sec-WebSocket-Protocol: chat.v3'],
      ['no handshake', 'GET /api/ws/protocols | Sec-WebSocket-Protocol: chat.v1'],
    ],
  },
  'streams-ticket': {
    accepts: [
      `${ticket} && upgrade /api/ws/auth?ticket={1.json.ticket}`,
      `${ticket} && ${ticket} && upgrade /api/ws/auth?ticket={2.json.ticket}`,
      'POST /api/ws/tickets | Authorization: bearer demo-admin-token && upgrade /api/ws/auth?ticket={1.json.ticket}',
    ],
    rejects: [
      ['has no ticket', `${ticket} && upgrade /api/ws/auth`],
      ['not the ticket', `${ticket} && upgrade /api/ws/auth?ticket=x`],
      ['got no ticket', 'POST /api/ws/tickets'],
    ],
  },
};

export const streamsCases = { ...events, ...bodies, ...sockets };
