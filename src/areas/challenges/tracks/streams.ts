/** Challenges about streams and sockets. */

import { header, jsonReceived, markOf, query, sent, status, when } from '../checks.js';
import { operationsIn } from '../read-messages.js';
import { inTrack, step, texts } from '../track.js';

const streams = inTrack('streams');

export const streamsTrack = [
  streams(
    'streams-events',
    1,
    texts(
      'Events',
      'Open the event stream /api/sse/clock with 3 events, as an event stream.',
      'Accept says what the client understands. | The media type is text/event-stream. | /api/sse/clock?count=3',
      'Server-Sent Events are lines of text over one response.',
      'HTML section 9.2',
    ),
    [
      step(
        'Send GET /api/sse/clock?count=3 with Accept: text/event-stream.',
        'GET /api/sse/clock',
        [
          query('count', /^3$/, 'Request 3 events: count=3.'),
          header('accept', /text\/event-stream/i, 'Your Accept does not have text/event-stream.'),
          status(200),
        ],
      ),
    ],
  ),
  streams(
    'streams-resume',
    2,
    texts(
      'Where we left off',
      'Read events of /api/sse/clock, and continue after the last event that you saw.',
      'Each event has an id. | Send the last id as a header. | Last-Event-ID: 2',
      'A client that reconnects sends Last-Event-ID, and misses nothing.',
      'HTML section 9.2.4',
    ),
    [
      step('Open /api/sse/clock.', 'GET /api/sse/clock', [
        when(
          (exchange) => sent(exchange, 'last-event-id') === '',
          'First open the stream without Last-Event-ID.',
        ),
        status(200),
      ]),
      step('Open it again with Last-Event-ID.', 'GET /api/sse/clock', [
        header('last-event-id', /./, 'You opened the stream again without Last-Event-ID.'),
        header('last-event-id', /^[1-9]\d*$/, 'Last-Event-ID is not an id of this stream.'),
        when(({ status: code }) => code < 300, 'The stream was rejected.'),
      ]),
    ],
  ),
  streams(
    'streams-done',
    2,
    texts(
      'The end',
      'Continue /api/sse/clock after its last event, and get 204.',
      'After the last event, the server says that there is nothing more. | ?count=3 and Last-Event-ID: 3 | 204 tells a client to stop reconnecting.',
      'Without 204, EventSource would reconnect forever.',
      'HTML section 9.2.3',
    ),
    [
      step('Get 204 with Last-Event-ID of the last event.', 'GET /api/sse/clock', [
        header('last-event-id', /./, 'You sent no Last-Event-ID.'),
        status(204, 'There are further events after this id.'),
      ]),
    ],
  ),
  streams(
    'streams-lines',
    1,
    texts(
      'Line by line',
      'Read 5 lines of JSON from /api/http/stream.',
      'The number of lines is in the path. | Each line is a JSON object. | /api/http/stream/5',
      'A line is complete at its end, wherever chunks are cut.',
      'RFC 7464 section 2',
    ),
    [
      step('Send GET /api/http/stream/5.', 'GET /api/http/stream/:n', [
        when(({ path }) => path.endsWith('/5'), 'Request 5 lines.'),
        status(200),
      ]),
    ],
  ),
  streams(
    'streams-trailers',
    3,
    texts(
      'After the body',
      'Request /api/http/trailers so that trailers may be sent.',
      'The client must say that it accepts trailers. | The header is TE. | TE: trailers',
      'Trailers come after the body, for values that are known only then.',
      'RFC 9110 section 6.5',
    ),
    [
      step('Send GET /api/http/trailers with TE: trailers.', 'GET /api/http/trailers', [
        header('te', /trailers/i, 'You sent no TE: trailers.'),
        status(200),
      ]),
    ],
  ),
  streams(
    'streams-chunked',
    2,
    texts(
      'Length unknown',
      'Send a POST to /api/methods/post without announcing its length.',
      'HTTP/1.1 can send a body in chunks. | The header is Transfer-Encoding. | curl -H "Transfer-Encoding: chunked" -d …',
      'Chunks have their own sizes, so a body can be sent while it is produced.',
      'RFC 9112 section 7.1',
    ),
    [
      step('Send a chunked POST to /api/methods/post.', 'POST /api/methods/post', [
        when(
          (exchange) => sent(exchange, 'content-length') === '',
          'You announced the length with Content-Length.',
        ),
        when(({ bodyBytes }) => bodyBytes > 0, 'The body is empty.'),
        status(200),
      ]),
    ],
  ),
  streams(
    'streams-websocket',
    1,
    texts(
      'Upgrade',
      'Open the WebSocket /api/ws/echo.',
      'A WebSocket begins with an HTTP request. | Use a WebSocket client with ws:// | It gets 101.',
      'The handshake upgrades the connection, after which both sides send messages.',
      'RFC 6455 section 4',
    ),
    [
      step('Open a WebSocket at /api/ws/echo.', 'GET /api/ws/echo', [
        header('upgrade', /websocket/i, 'You sent a plain GET. Connect with a WebSocket client.'),
        status(101),
      ]),
    ],
  ),
  streams(
    'streams-subprotocol',
    2,
    texts(
      'Which protocol?',
      'Open /api/ws/protocols with a subprotocol that the server supports.',
      'The client offers subprotocols. | chat.v1 is one of them. | new WebSocket(url, ["chat.v1"])',
      'The server chooses one of the offered subprotocols, or none.',
      'RFC 6455 section 1.9',
    ),
    [
      step('Open a WebSocket at /api/ws/protocols with a subprotocol.', 'GET /api/ws/protocols', [
        header('upgrade', /websocket/i, 'You sent a plain GET. Connect with a WebSocket client.'),
        header('sec-websocket-protocol', /./, 'You offered no subprotocol.'),
        when(
          (exchange) =>
            exchange.status === 101 &&
            exchange.responseHeaders['sec-websocket-protocol'] !== undefined,
          'The server supports none of these subprotocols.',
        ),
      ]),
    ],
  ),
  streams(
    'streams-ticket',
    3,
    texts(
      'A ticket',
      'Create a ticket, and open /api/ws/auth with it.',
      'Browsers cannot set headers of a WebSocket. | POST /api/ws/tickets with a bearer token | /api/ws/auth?ticket=…',
      'A ticket works once and for a short time, so a log with the URL is harmless.',
      'RFC 6455 section 10.5',
    ),
    [
      step(
        'Create a ticket.',
        'POST /api/ws/tickets',
        [when(({ status: code }) => code < 300, 'The bearer token is missing or wrong.')],
        {
          keep: (exchange, memo) => ({
            ...memo,
            ticket: markOf(String(jsonReceived(exchange).ticket)),
          }),
        },
      ),
      step('Open /api/ws/auth with the ticket.', 'GET /api/ws/auth', [
        query('ticket', /./, 'The URL has no ticket.'),
        when(
          (exchange, { ticket }) => markOf(exchange.query.get('ticket') ?? '') === ticket,
          'This is not the ticket that you got.',
        ),
        status(101),
      ]),
    ],
  ),
  streams(
    'streams-subscription',
    3,
    texts(
      'Subscribe',
      'Run a GraphQL subscription as an event stream.',
      'The operation is a subscription. | Accept: text/event-stream at POST /graphql | subscription { countdown(from: 1, interval: 0.1) }',
      'GraphQL over Server-Sent Events needs only HTTP.',
      'GraphQL over Server-Sent Events, distinct connections mode',
    ),
    [
      step('Send a subscription with Accept: text/event-stream.', 'POST /graphql', [
        when(
          (exchange) =>
            operationsIn(exchange).some(({ operation }) => operation === 'subscription'),
          'The operation is not a subscription.',
        ),
        header('accept', /text\/event-stream/i, 'Your Accept does not have text/event-stream.'),
        status(200),
      ]),
    ],
  ),
];
