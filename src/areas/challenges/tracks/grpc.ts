/** Challenges about gRPC. Each can be solved with gRPC, gRPC-Web and Connect; the last one is about GET of Connect. */

import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import { jsonReceived, jsonSent, membersOf, received, sent, textOf, when } from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { grpcCases } from './cases/grpc.js';

const grpc = inTrack('grpc', grpcCases);

const hello = 'POST /hello.HelloService/SayHello';
const echo = 'POST /practice.v1.Echo/Unary';
const books = 'POST /practice.v1.Books';

/** Codes as Connect names them, with their numbers. */
const codes = { invalid_argument: '3', deadline_exceeded: '4', aborted: '10' } as const;

/** A failure of gRPC has its code in the only head, and one of Connect in JSON. */
const endedWith = (exchange: Exchange, code: keyof typeof codes): boolean => {
  const inHead = received(exchange, 'grpc-status');
  return inHead === '' ? textOf(jsonReceived(exchange).code) === code : inHead === codes[code];
};

const isOk = when(
  (exchange) => exchange.status === 200 && /^0?$/.test(received(exchange, 'grpc-status')),
  'The call did not succeed.',
);

/** Milliseconds of one unit of grpc-timeout. */
const units: Readonly<Record<string, number>> = {
  ...{ H: 3_600_000, M: 60_000, S: 1000 },
  ...{ m: 1, u: 1e-3, n: 1e-6 },
};

/** Returns the milliseconds of the deadline; 0 without one. */
function timeoutOf(exchange: Exchange): number {
  const text = sent(exchange, 'grpc-timeout');
  const ofGrpc = Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? 0);
  return ofGrpc || Number(sent(exchange, 'connect-timeout-ms'));
}

const hasDeadline = when((exchange) => timeoutOf(exchange) > 0, 'Your call has no deadline.');

/** Returns the record in a request to write it. */
const bookSent = (exchange: Exchange) => membersOf(jsonSent(exchange).book);

const requests = cite('gRPC over HTTP2', 'Requests');
const deadlines = cite('gRPC guide Deadlines', 'Deadlines on the Client');
const etags = cite('AIP-154', 'Etags on request methods');

export const grpcTrack = [
  grpc(
    'grpc-hello',
    1,
    texts(
      'The first call',
      'Call hello.HelloService/SayHello with a greeting.',
      'What is the path of a method? | PROTOCOL-HTTP2: a slash, the service, a slash, the method. | POST /hello.HelloService/SayHello with a greeting',
      'Every protocol of gRPC has the same paths.',
      requests,
    ),
    [
      step(hello, [
        when((exchange) => textOf(jsonSent(exchange).greeting) !== '', 'It has no greeting.'),
        isOk,
      ]),
    ],
  ),
  grpc(
    'grpc-metadata',
    1,
    texts(
      'Metadata',
      'Call practice.v1.Echo/Unary with the metadata x-color: green.',
      'Where is metadata sent? | PROTOCOL-HTTP2: it becomes headers. | Metadata x-color: green',
      'Metadata are headers, with names in lower case.',
      requests,
    ),
    [
      step(echo, [
        when((exchange) => sent(exchange, 'x-color') === 'green', 'x-color is not green.'),
        isOk,
      ]),
    ],
  ),
  grpc(
    'grpc-binary',
    2,
    texts(
      'Binary metadata',
      'Call practice.v1.Echo/Unary with the binary metadata x-bytes-bin of at least one byte.',
      'How can a header have any bytes? | PROTOCOL-HTTP2: names that end in -bin have Base64. | x-bytes-bin: AAEC',
      'Libraries encode and decode values of names that end in -bin.',
      requests,
    ),
    [
      step(echo, [
        when(
          (exchange) => /^[A-Za-z0-9+/]{2,}={0,2}$/.test(sent(exchange, 'x-bytes-bin')),
          'x-bytes-bin has no Base64.',
        ),
        isOk,
      ]),
    ],
  ),
  grpc(
    'grpc-deadline',
    1,
    texts(
      'A deadline',
      'Call SayHello with a deadline of at most 5 seconds.',
      'How long should a call wait? | The guide Deadlines: choose one for each call. | grpc-timeout: 5S, or connect-timeout-ms: 5000',
      'Without a deadline, a call can wait forever.',
      deadlines,
    ),
    [
      step(hello, [
        hasDeadline,
        when((exchange) => timeoutOf(exchange) <= 5000, 'Your deadline is later.'),
        isOk,
      ]),
    ],
  ),
  grpc(
    'grpc-expired',
    2,
    texts(
      'Too late',
      'Get DEADLINE_EXCEEDED from the service, at practice.v1.Echo/Unary.',
      'What makes a call late? | gRPC guide, Deadlines: the time that a client waits. | delay of 1 s, and a deadline of 50 ms',
      'The service ends the call as well, so that it does not work in vain.',
      deadlines,
    ),
    [
      step(echo, [
        hasDeadline,
        when((exchange) => endedWith(exchange, 'deadline_exceeded'), 'The call was in time.'),
      ]),
    ],
  ),
  grpc(
    'grpc-invalid',
    1,
    texts(
      'Field violations',
      'Get INVALID_ARGUMENT from practice.v1.Books/Create.',
      'What does a book need? | INVALID_ARGUMENT: the details name each missing field. | A book with a title only',
      'google.rpc.BadRequest names each field.',
      cite('gRPC over HTTP2', 'Responses'),
    ),
    [
      step(`${books}/Create`, [
        when((exchange) => endedWith(exchange, 'invalid_argument'), 'The book was accepted.'),
      ]),
    ],
  ),
  grpc(
    'grpc-page',
    2,
    texts(
      'The next page',
      'Read a later page of practice.v1.Books/List by a page token of the service.',
      'Which field leads on? | AIP-158: next_page_token. | page_token of the page before, unchanged',
      'Page tokens are opaque.',
      cite('AIP-158', 'Guidance'),
    ),
    [
      step('POST|GET /practice.v1.Books/List', [
        when((exchange) => textOf(jsonSent(exchange).pageToken) !== '', 'It is the first page.'),
        isOk,
      ]),
    ],
  ),
  grpc(
    'grpc-etag',
    2,
    texts(
      'A safe update',
      'Change a book with practice.v1.Books/Update and the etag that you read.',
      'How do you know that nothing has changed since? | AIP-154: send the etag back. | Get, and then Update with book.etag',
      'The service compares the etag in the step that writes.',
      etags,
    ),
    [
      step(`${books}/Update`, [
        when((exchange) => textOf(bookSent(exchange).etag) !== '', 'Your update has no etag.'),
        isOk,
      ]),
    ],
  ),
  grpc(
    'grpc-aborted',
    2,
    texts(
      'A lost race',
      'Get ABORTED from practice.v1.Books/Update.',
      'What if the book has changed? | AIP-154: an old etag ends in ABORTED. | Update twice with the same etag',
      'After ABORTED, read again, and repeat the change.',
      etags,
    ),
    [
      step(`${books}/Update`, [
        when((exchange) => endedWith(exchange, 'aborted'), 'The update was accepted.'),
      ]),
    ],
  ),
  grpc(
    'grpc-cached',
    3,
    texts(
      'A cached call',
      'Revalidate a GET of SayHello: get 304.',
      'Which methods can be called by GET? | Connect protocol, Unary-Get-Request: methods without side effects. | GET with message and encoding, then If-None-Match',
      'Browsers and proxies cache unary calls of Connect.',
      cite('RFC 9110', '13.1.2'),
    ),
    [
      step('GET /hello.HelloService/SayHello', [
        when((exchange) => exchange.status === 304, 'It was no revalidation.'),
      ]),
    ],
  ),
];
