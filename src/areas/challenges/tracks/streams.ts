/** Challenges about streams and sockets. */

import { readPreferences } from '#http/negotiation/read-preferences.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  header,
  isAbsent,
  isThere,
  jsonReceived,
  keep,
  markOf,
  part,
  query,
  received,
  sent,
  status,
  success,
  textOf,
  typeReceived,
  when,
} from '../checks.js';
import { operationOf } from '../read-messages.js';
import { inTrack, step, texts } from '../track.js';
import { streamsCases } from './cases/streams.js';

const streams = inTrack('streams', streamsCases);

const clock = 'GET /api/sse/clock';

const listOf = (text: string) =>
  text
    .toLowerCase()
    .split(',')
    .map((each) => each.trim());
const has = (wanted: string) => (text: string) => listOf(text).includes(wanted);

/** Returns whether Accept names event streams; a star does not. */
const asksForEvents = when(
  (exchange) => (readPreferences(sent(exchange, 'accept')).get('text/event-stream') ?? 0) > 0,
  'Your Accept does not request an event stream.',
);

const isEventStream = when(
  (exchange) => exchange.status === 200 && typeReceived(exchange) === 'text/event-stream',
  'The response is no event stream.',
);

const numberIn = (exchange: Exchange, name: string, usual: number) =>
  Number(exchange.query.get(name) ?? usual);

const lastIdOf = (exchange: Exchange) =>
  sent(exchange, 'last-event-id') || (exchange.query.get('lastEventId') ?? '');

const keepStream = keep({
  count: (exchange) =>
    String(
      Math.min(
        numberIn(exchange, 'count', 10),
        numberIn(exchange, 'dropAfter', Number.POSITIVE_INFINITY),
      ),
    ),
  interval: (exchange) => String(numberIn(exchange, 'interval', 1) * 1000),
  startMs: ({ endMs }) => String(endMs),
});

/** Returns how many events the first stream can have sent until this request. */
function sentSoFar({ atMs }: Exchange, { count, interval, startMs }: Memo): number {
  const pause = Number(interval);
  if (!(pause > 0)) return Number(count);
  return Math.min(Number(count), Math.floor((atMs - Number(startMs)) / pause) + 1);
}

const openClock = step(
  clock,
  [
    when((exchange) => lastIdOf(exchange) === '', 'This stream did not begin at its first event.'),
    isEventStream,
  ],
  { keep: keepStream },
);

const wasSent = when((exchange, memo) => {
  const id = Number(lastIdOf(exchange));
  return Number.isInteger(id) && id >= 1 && id <= sentSoFar(exchange, memo);
}, 'The service has not sent an event with this id since the start.');

const hasLastId = when(
  (exchange) => lastIdOf(exchange) !== '',
  'You opened the stream again, but not after an event.',
);

const events = [
  streams(
    'streams-events',
    1,
    texts(
      'Events',
      'Open /api/sse/clock with 3 events, and request an event stream in Accept.',
      'How does a server send news without being asked each time? | HTML section 9.2: by an event stream, with the media type text/event-stream. | GET /api/sse/clock?count=3 with Accept: text/event-stream',
      'Server-Sent Events are lines of text over one response.',
      cite('HTML', '9.2'),
    ),
    [
      step(clock, [
        query('count', (value) => Number(value) === 3, 'This stream does not have 3 events.'),
        asksForEvents,
        isEventStream,
      ]),
    ],
  ),
  streams(
    'streams-resume',
    2,
    texts(
      'Where we left off',
      'Open /api/sse/clock from its first event, and open it again after an event that it has sent.',
      'What does a client miss while its connection is broken? | HTML section 9.2.4: nothing, if it sends the id of the last event as Last-Event-ID. | GET /api/sse/clock?count=3&interval=0, then the same with Last-Event-ID: 2',
      'A client that reconnects sends Last-Event-ID, and misses nothing.',
      cite('HTML', '9.2.4'),
    ),
    [openClock, step(clock, [hasLastId, wasSent, success('The stream was rejected.')])],
  ),
  streams(
    'streams-done',
    2,
    texts(
      'The end',
      'Open /api/sse/clock from its first event, open it again after the last event that it has sent, and get 204.',
      'How does a client learn that nothing more will come? | HTML section 9.2.3: 204 tells it to stop reconnecting. | GET /api/sse/clock?count=3&interval=0, then the same with Last-Event-ID: 3',
      'Without 204, EventSource would reconnect forever.',
      cite('HTML', '9.2.3'),
    ),
    [
      openClock,
      step(clock, [hasLastId, wasSent, status(204, 'More events follow after this one.')]),
    ],
  ),
  streams(
    'streams-subscription',
    3,
    texts(
      'Subscribe',
      'Run a GraphQL subscription by a request to /graphql whose response is an event stream.',
      'How can a GraphQL client get news over plain HTTP? | GraphQL over Server-Sent Events, distinct connections mode: one request for each subscription, whose response is text/event-stream. | POST /graphql with {"query": "subscription { countdown(from: 1, interval: 0.1) }"} and Accept: text/event-stream',
      'GraphQL over Server-Sent Events needs only HTTP.',
      cite('GraphQL over Server-Sent Events', 'Distinct connections mode'),
    ),
    [
      step('GET|POST /graphql', [
        when(
          (exchange) => operationOf(exchange)?.operation === 'subscription',
          'The operation that runs is no subscription.',
        ),
        isEventStream,
      ]),
    ],
  ),
];

const bodies = [
  streams(
    'streams-lines',
    1,
    texts(
      'Line by line',
      'Read 5 lines of JSON from /api/http/stream.',
      'Where does one message of a stream end? | NDJSON 1.0 section 3.1: each JSON text is followed by a line feed. The number of lines is in the path. | GET /api/http/stream/5',
      'A line is complete at its end, wherever chunks are cut.',
      cite('NDJSON 1.0', '3.1'),
    ),
    [
      step('GET /api/http/stream/:n', [
        when((exchange) => Number(part(exchange, 'n')) === 5, 'These are not 5 lines.'),
        status(200),
      ]),
    ],
  ),
  streams(
    'streams-trailers',
    3,
    texts(
      'After the body',
      'Request /api/http/trailers so that trailers may be sent, and so that TE ends at the first proxy, as HTTP/1.1 requires.',
      'How does a server know that a client reads what follows the body? | RFC 9110 section 10.1.4: by TE: trailers. TE is about one connection only, so a sender must also name it in Connection. HTTP/2 needs no Connection. | GET /api/http/trailers with TE: trailers and Connection: TE',
      'Trailers come after the body, for values that are known only then. TE is hop-by-hop, so Connection names it.',
      cite('RFC 9110', '10.1.4'),
    ),
    [
      step('GET /api/http/trailers', [
        when(
          (exchange) => (readPreferences(sent(exchange, 'te')).get('trailers') ?? 0) > 0,
          'Nothing in this request says that trailers may be sent.',
        ),
        when(
          (exchange) =>
            exchange.httpVersion.startsWith('2') || has('te')(sent(exchange, 'connection')),
          'Connection does not name TE, so a proxy would pass TE on.',
        ),
        status(200),
      ]),
    ],
  ),
  streams(
    'streams-chunked',
    2,
    texts(
      'Length unknown',
      'Send a POST with a body to /api/methods/post without announcing its length.',
      'What if a body is still being produced while it is sent? | RFC 9112 section 7.1: HTTP/1.1 sends it in chunks, each with its own size. | curl -H "Transfer-Encoding: chunked" -d {} with /api/methods/post',
      'Chunks have their own sizes, so a body can be sent while it is produced.',
      cite('RFC 9112', '7.1'),
    ),
    [
      step('POST /api/methods/post', [
        header('content-length', isAbsent, 'You announced the length in Content-Length.'),
        when(({ bodyBytes }) => bodyBytes > 0, 'The body is empty.'),
        status(200),
      ]),
    ],
  ),
];

const isUpgrade = header('upgrade', has('websocket'), 'This is a plain GET, and no handshake.');

const sockets = [
  streams(
    'streams-websocket',
    1,
    texts(
      'Upgrade',
      'Open the WebSocket /api/ws/echo.',
      'How does a WebSocket begin? | RFC 6455 section 4: with an HTTP request that upgrades the connection, and gets 101. | new WebSocket(url) with ws:// and the path /api/ws/echo',
      'The handshake upgrades the connection, after which both sides send messages.',
      cite('RFC 6455', '4'),
    ),
    [step('GET /api/ws/echo', [isUpgrade, status(101)])],
  ),
  streams(
    'streams-subprotocol',
    2,
    texts(
      'Which protocol?',
      'Open /api/ws/protocols with a subprotocol that the server chooses from those that you offer.',
      'How do both sides agree on what messages mean? | RFC 6455 section 1.9: the client offers subprotocols, and the server chooses one. chat.v1 is one of this server. | new WebSocket(url, ["chat.v1"])',
      'The server chooses one of the offered subprotocols, or none.',
      cite('RFC 6455', '1.9'),
    ),
    [
      step('GET /api/ws/protocols', [
        isUpgrade,
        header('sec-websocket-protocol', isThere, 'You offered no subprotocol.'),
        when(
          (exchange) =>
            exchange.status === 101 && received(exchange, 'sec-websocket-protocol') !== '',
          'The server has chosen none of the subprotocols that you offered.',
        ),
      ]),
    ],
  ),
  streams(
    'streams-ticket',
    3,
    texts(
      'A ticket',
      'Create a ticket, and open the WebSocket /api/ws/auth with it.',
      'How can a page authenticate a WebSocket, on which it can set no header? | RFC 6455 section 10.5: by any means of HTTP; a ticket in the URL works once. POST /api/ws/tickets with a bearer token creates one. | new WebSocket of /api/ws/auth?ticket={ticket}',
      'A ticket works once and for a short time, so a log with the URL is harmless.',
      cite('RFC 6455', '10.5'),
    ),
    [
      step(
        'POST /api/ws/tickets',
        [success('You got no ticket: the bearer token is missing or wrong.')],
        { keep: keep({ ticket: (exchange) => markOf(textOf(jsonReceived(exchange).ticket)) }) },
      ),
      step('GET /api/ws/auth', [
        query('ticket', isThere, 'The URL has no ticket.'),
        when(
          (exchange, { ticket }) => markOf(exchange.query.get('ticket') ?? '') === ticket,
          'This is not the ticket that you got.',
        ),
        status(101),
      ]),
    ],
  ),
];

export const streamsTrack = [...events, ...bodies, ...sockets];
