/** Challenges about HTTP itself. */

import { mediaType } from '#http/body/request-body.js';
import { parseHttpDate } from '#http/headers/http-date.js';
import { parseRanges } from '#http/sending/byte-ranges.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  cookieSent,
  cookiesSent,
  hasDate,
  hasTag,
  header,
  isAbsent,
  isAt,
  isThere,
  jsonReceived,
  keep,
  keepValidators,
  locationOf,
  membersOf,
  method,
  part,
  received,
  record,
  sent,
  status,
  typeReceived,
  weightIn,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { httpCases } from './cases/http.js';

const http = inTrack('http', httpCases);

const book = '/api/Books/:id';
const bytes = '/api/http/bytes/:n';
const redirect = '/api/http/redirect/:hops|/api/http/redirect/end';
const jsonTypes = ['application/json', 'text/json'] as const;
const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml'] as const;
const other = 'This is another book.';
const isXml = (exchange: Exchange) => /^(?:application|text)\/xml$/.test(typeReceived(exchange));

const negotiating = [
  http(
    'http-accept',
    1,
    texts(
      'Choose the format',
      'Get the record at /api/http/formats as XML by a header.',
      'How does a client say which formats it understands? | RFC 9110 section 12.5.1: Accept lists media types. | GET /api/http/formats with Accept: application/xml',
      'Content negotiation selects a representation of one URL by Accept.',
      cite('RFC 9110', '12.5.1'),
    ),
    [
      step('GET|HEAD /api/http/formats|/api/http/formats/:format', [
        when(
          ({ route }) => route === '/api/http/formats',
          'You chose the format by the path, not by a header.',
        ),
        when(
          (exchange) => weightIn(exchange, 'accept', 'application/xml', 'text/xml') > 0,
          'Your Accept does not accept XML.',
        ),
        when(isXml, 'The response is not XML: another format has as much weight in your Accept.'),
      ]),
    ],
  ),
  http(
    'http-quality',
    2,
    texts(
      'Prefer, but accept others',
      'Get /api/http/formats as YAML with an Accept that also accepts JSON, with a lower weight.',
      'How does a list say what it prefers? | RFC 9110 section 12.4.2: each item can have a weight, the parameter q, from 0 to 1; 0 rejects. | Accept: application/yaml, application/json;q=0.5',
      'Weights rank the alternatives. Without q, the weight is 1.',
      cite('RFC 9110', '12.4.2'),
    ),
    [
      step('GET|HEAD /api/http/formats', [
        when(
          (exchange) => weightIn(exchange, 'accept', ...jsonTypes) > 0,
          'Your Accept does not accept JSON; a weight of 0 rejects it.',
        ),
        when(
          (exchange) =>
            weightIn(exchange, 'accept', ...jsonTypes) < weightIn(exchange, 'accept', ...yamlTypes),
          'JSON has no lower weight than YAML in your Accept.',
        ),
        when(
          (exchange) => typeReceived(exchange).endsWith('yaml'),
          'The response is not YAML: in your Accept, another format has as much weight, or YAML is not accepted.',
        ),
      ]),
    ],
  ),
  http(
    'http-compressed',
    1,
    texts(
      'Compressed',
      'Get /api/http/encoding compressed with gzip, by a header.',
      'How does a client say which codings it can decode? | RFC 9110 section 12.5.3: Accept-Encoding lists them. | Accept-Encoding: gzip (curl --compressed may get another coding)',
      'Accept-Encoding lists content codings; Content-Encoding of the response names the chosen one.',
      cite('RFC 9110', '12.5.3'),
    ),
    [
      step('GET|HEAD /api/http/encoding|/api/http/encoding/:coding', [
        when(
          ({ route }) => route === '/api/http/encoding',
          'You chose the coding by the path, not by a header.',
        ),
        when(
          (exchange) => weightIn(exchange, 'accept-encoding', 'gzip', 'x-gzip') > 0,
          'Your Accept-Encoding does not accept gzip.',
        ),
        when(
          (exchange) => received(exchange, 'content-encoding') === 'gzip',
          'The response has another coding, which has as much weight in your Accept-Encoding.',
        ),
      ]),
    ],
  ),
  http(
    'http-problem',
    2,
    texts(
      'A problem with details',
      'Get the 404 of /api/Books/99999 as problem details.',
      'Do errors have a standard format? | RFC 9457 section 3: its media type is application/problem+json. | GET /api/Books/99999 with Accept: application/problem+json',
      'Problem details have type, title, status and detail, so that programs can handle errors alike.',
      cite('RFC 9457', '3'),
    ),
    [
      step(`GET|HEAD ${book}`, [
        record('99999', other),
        status(404),
        when(
          (exchange) => typeReceived(exchange) === 'application/problem+json',
          'The response is not of the type application/problem+json.',
        ),
      ]),
    ],
  ),
];

const validators = [
  http(
    'http-not-modified',
    1,
    texts(
      'Not modified',
      'Read /api/Books/1, then read it again with a validator of the response, so that the second response is 304.',
      'How can a client say which version it has? | RFC 9110 section 13.1.2: If-None-Match has the entity tag of a response, with its double quotes. | GET /api/Books/1 with If-None-Match and the ETag of the first response',
      'An entity tag identifies a version. 304 confirms that the copy of a client is current, and saves the transfer.',
      cite('RFC 9110', '13.1.2'),
    ),
    [
      step(`GET|HEAD ${book}`, [record('1', other), status(200)], { keep: keepValidators }),
      step(`GET|HEAD ${book}`, [
        record('1', other),
        when(
          (exchange) =>
            sent(exchange, 'if-none-match') + sent(exchange, 'if-modified-since') !== '',
          'You read the book again, but without a validator.',
        ),
        when(
          (exchange, memo) =>
            sent(exchange, 'if-none-match') === ''
              ? hasDate(exchange, 'if-modified-since', memo)
              : hasTag(exchange, 'if-none-match', memo),
          'The validator that you sent is not one of the response that you read.',
        ),
        status(304),
      ]),
    ],
  ),
  http(
    'http-modified-since',
    2,
    texts(
      'Unchanged since a date',
      'Read /api/Books/2 with a date and no entity tag, so that the response is 304.',
      'Which header of a response says how old its content is? | RFC 9110 section 13.1.3: If-Modified-Since has that date; If-None-Match has priority over it. | GET /api/Books/2 with If-Modified-Since and the Last-Modified of an earlier response',
      'If-Modified-Since compares dates with whole seconds. A server ignores it if If-None-Match is present.',
      cite('RFC 9110', '13.1.3'),
    ),
    [
      step(`GET|HEAD ${book}`, [
        record('2', other),
        header(
          'if-none-match',
          isAbsent,
          'You sent an entity tag, which has priority over a date.',
        ),
        header('if-modified-since', isThere, 'You read the book without a date.'),
        header(
          'if-modified-since',
          (date) => parseHttpDate(date) !== undefined,
          'What you sent is no HTTP date, such as Thu, 01 Jan 2026 00:00:00 GMT.',
        ),
        status(304, 'The book was modified after your date.'),
      ]),
    ],
  ),
];

/** Returns the first and last byte of a response with 206, and the size; empty otherwise. */
function rangeReceived(exchange: Exchange): readonly number[] {
  if (exchange.status !== 206) return [];
  const [, ...numbers] =
    /^bytes (\d{1,9})-(\d{1,9})\/(\d{1,9})$/.exec(received(exchange, 'content-range')) ?? [];
  return numbers.map(Number);
}

/** Returns the bytes of a response with one part or several, without gaps; empty otherwise. */
function bytesReceived(exchange: Exchange, size: number): readonly number[] {
  const ranges = parseRanges(sent(exchange, 'range'), size);
  if (exchange.status !== 206 || typeof ranges === 'string') return [];
  const inOrder = [...ranges].sort((a, b) => a.first - b.first);
  const isWhole = inOrder.every(({ first }, index) => {
    const { last: before } = inOrder[index - 1] ?? { last: first - 1 };
    return first <= before + 1;
  });
  const last = Math.max(...inOrder.map((each) => each.last));
  return isWhole ? [inOrder[0]?.first ?? 0, last] : [];
}

const keepPart = keep({
  etag: (exchange) => received(exchange, 'etag'),
  next: (exchange) => String((rangeReceived(exchange)[1] ?? 0) + 1),
});

const isGuarded = (exchange: Exchange, memo: Memo): boolean =>
  sent(exchange, 'if-range') === memo.etag || hasTag(exchange, 'if-match', memo);

const ranges = [
  http(
    'http-range',
    1,
    texts(
      'The first hundred bytes',
      'Get exactly the first 100 bytes of /api/http/bytes/1000, and no others.',
      'How can a client request a part? | RFC 9110 section 14.2: Range has the first and the last byte, both included, and counts from 0. | GET /api/http/bytes/1000 with Range: bytes=0-99',
      'Positions begin at 0 and the last byte is included: 0-99 are 100 bytes.',
      cite('RFC 9110', '14.2'),
    ),
    [
      step(`GET ${bytes}`, [
        when((exchange) => part(exchange, 'n') === '1000', 'These are other bytes.'),
        header('range', isThere, 'You requested all bytes.'),
        status(206, 'You got no part: your Range was ignored, or lies outside of the bytes.'),
        when(
          (exchange) => bytesReceived(exchange, 1000)[0] === 0,
          'You got parts with gaps, or not from the first byte, which has the number 0.',
        ),
        when(
          (exchange) => bytesReceived(exchange, 1000)[1] === 99,
          'You got another number of bytes than 100.',
        ),
      ]),
    ],
  ),
  http(
    'http-resume',
    3,
    texts(
      'Resume safely',
      'Get a first part of /api/http/bytes/5000, then the rest in one or more parts, each with a condition so that parts of two versions are never joined.',
      'What if the bytes change between two parts? | RFC 9110 section 13.1.5: If-Range has the strong entity tag of the first part. | GET with Range: bytes={first missing byte}- and If-Range: {ETag of the first part}',
      'If-Range returns the part only if the version is the same, and everything otherwise.',
      cite('RFC 9110', '13.1.5'),
    ),
    [
      step(
        `GET ${bytes}`,
        [
          when((exchange) => part(exchange, 'n') === '5000', 'These are other bytes.'),
          status(206, 'You got no part.'),
          when((exchange) => rangeReceived(exchange)[0] === 0, 'This is not a first part.'),
          when(
            (exchange) => (rangeReceived(exchange)[1] ?? 4999) < 4999,
            'This part is already the whole.',
          ),
        ],
        { keep: keepPart },
      ),
      step(
        `GET ${bytes}`,
        [
          when((exchange) => part(exchange, 'n') === '5000', 'These are other bytes.'),
          when(
            isGuarded,
            'Nothing in this request ties the part to the version of the first part.',
          ),
          status(206, 'You got no part.'),
          when(
            (exchange, { next }) => String(rangeReceived(exchange)[0]) === next,
            'This part does not begin at the first missing byte.',
          ),
        ],
        { keep: keepPart, isDone: ({ next }) => next === '5000' },
      ),
    ],
  ),
];

const attributes: ReadonlySet<string> = new Set(
  'path domain expires max-age secure httponly samesite'.split(' '),
);

/** The port of the client, which differs between connections. */
const portOf = (exchange: Exchange) => {
  const { address, port } = membersOf(jsonReceived(exchange).remote);
  return `${address} ${port}`;
};

const methods = [
  http(
    'http-head',
    1,
    texts(
      'Only the headers',
      'Get 200 and the headers of /api/Books/1 without its body.',
      'Which method gets a response without content? | RFC 9110 section 9.3.2: HEAD returns what GET would return, without the content. | HEAD /api/Books/1, or curl -I',
      'HEAD is GET without content. Clients use it to check size, type and entity tag.',
      cite('RFC 9110', '9.3.2'),
    ),
    [
      step(`HEAD|GET ${book}`, [
        record('1', other),
        method('HEAD', 'The response to GET also has the body.'),
        status(200),
      ]),
    ],
  ),
  http(
    'http-options',
    1,
    texts(
      'What is allowed here?',
      'Find out which methods /api/Books/1 supports, without trying one of them.',
      'Which method changes nothing, and asks about the others? | RFC 9110 section 9.3.7: OPTIONS; its response has Allow. | OPTIONS /api/Books/1',
      'OPTIONS returns the methods in Allow, and changes nothing.',
      cite('RFC 9110', '9.3.7'),
    ),
    [
      step(`* ${book}`, [
        method('OPTIONS', 'You tried a method.'),
        record('1', other),
        when(
          (exchange) =>
            received(exchange, 'allow') + received(exchange, 'access-control-allow-methods') !== '',
          'The response lists no methods.',
        ),
      ]),
    ],
  ),
  http(
    'http-allow',
    1,
    texts(
      'The right method',
      'Get 405 at /api/methods/put, then get 200 there with a method in Allow.',
      'What does the response say besides its status? | RFC 9110 section 15.5.6: 405 has Allow, with the supported methods. | GET /api/methods/put, then the method in its Allow',
      '405 always has Allow, so that a client can choose another method.',
      cite('RFC 9110', '15.5.6'),
    ),
    [
      step('* /api/methods/put', [status(405, 'This method is supported here: it gets no 405.')], {
        keep: keep({ allow: (exchange) => received(exchange, 'allow') }),
      }),
      step('* /api/methods/put', [
        when(
          (exchange, { allow = '' }) =>
            allow.split(',').some((each) => each.trim() === exchange.method),
          'Allow of the response does not have this method.',
        ),
        status(200),
      ]),
    ],
  ),
  http(
    'http-send-compressed',
    3,
    texts(
      'Send it compressed',
      'Send a JSON body as application/json, compressed with gzip, to /api/http/decode.',
      'How does a server know that a body is compressed? | RFC 9110 section 8.4: Content-Encoding names the coding; Content-Type says what is inside. | POST the output of gzip with Content-Encoding: gzip and Content-Type: application/json',
      'Content-Encoding describes the coding of the body; Content-Type describes what is inside.',
      cite('RFC 9110', '8.4'),
    ),
    [
      step('POST /api/http/decode', [
        header('content-encoding', isThere, 'Your request does not say that its body is coded.'),
        header(
          'content-encoding',
          (coding) => /^(?:x-)?gzip$/i.test(coding),
          'The coding that your request names is not gzip, and only gzip.',
        ),
        status(200, 'The body is not gzip, although Content-Encoding says so.'),
        header(
          'content-type',
          (type) => mediaType(type) === 'application/json',
          'The request does not say that JSON is inside.',
        ),
        when(({ parsed }) => parsed.json !== undefined, 'What is inside is not JSON.'),
      ]),
    ],
  ),
  http(
    'http-redirects',
    2,
    texts(
      'To the end of the chain',
      'Follow every redirect from /api/http/redirect/3 to the end, each at its Location.',
      'Where does a response with 302 lead? | RFC 9110 section 15.4: the next URL is in Location. | curl -L /api/http/redirect/3, or a request to each Location',
      'A client resolves Location against the URL of the request, and repeats until the status is no redirect.',
      cite('RFC 9110', '15.4'),
    ),
    [
      step(
        `GET|HEAD ${redirect}`,
        [
          when((exchange) => part(exchange, 'hops') === '3', 'The chain begins at 3.'),
          when((exchange) => received(exchange, 'location') !== '', 'This was no redirect.'),
        ],
        { keep: keep({ next: locationOf }) },
      ),
      step(`GET|HEAD ${redirect}`, [isAt('next', 'This is not the Location of the response.')], {
        keep: keep({
          next: (exchange) => (exchange.status < 300 ? 'end' : locationOf(exchange)),
        }),
        isDone: ({ next }) => next === 'end',
      }),
    ],
  ),
  http(
    'http-keep-method',
    3,
    texts(
      'Redirected, but still a POST',
      'Send POST with a body to /api/http/redirect/1?status=308, and send POST with the same body to its Location.',
      'Which redirects keep the method? | RFC 9110 section 15.4.9: 308 must not change the method, so the body is sent again; 301 and 302 may become GET. | POST /api/http/redirect/1?status=308 with a body, then the same POST to Location',
      '307 and 308 keep method and content, so a client must be able to send the body twice.',
      cite('RFC 9110', '15.4.9'),
    ),
    [
      step(
        'POST /api/http/redirect/:hops',
        [
          when((exchange) => part(exchange, 'hops') === '1', 'This is another redirect.'),
          status(308),
          when(({ bodyBytes }) => bodyBytes > 0, 'The POST has no body.'),
        ],
        { keep: keep({ next: locationOf, body: ({ bodyHash }) => bodyHash }) },
      ),
      step('* /api/http/redirect/end', [
        isAt('next', 'This is not the Location of the response.'),
        method('POST', 'You followed with another method than POST.'),
        when(({ bodyBytes }) => bodyBytes > 0, 'You followed with POST, but without the body.'),
        when(({ bodyHash }, { body }) => bodyHash === body, 'You followed with another body.'),
      ]),
    ],
  ),
  http(
    'http-cookie',
    2,
    texts(
      'Bring the cookie back',
      'Get the cookie flavour=oat from /api/http/cookies/set, and send it, and no other flavour, to /api/http/cookies.',
      'Where does a cookie come from, and where does it go? | RFC 6265 section 5.4: the jar sends name and value in Cookie, without the attributes of Set-Cookie. | curl -c jar -b jar for /api/http/cookies/set?flavour=oat and then /api/http/cookies',
      'Set-Cookie has attributes; Cookie has only names and values.',
      cite('RFC 6265', '5.4'),
    ),
    [
      step('GET|HEAD /api/http/cookies/set', [
        when(
          (exchange) => exchange.query.get('flavour') === 'oat' && exchange.status < 400,
          'This does not set the cookie flavour to oat.',
        ),
      ]),
      step('GET|HEAD /api/http/cookies', [
        header('cookie', isThere, 'You sent no cookie.'),
        when(
          (exchange) =>
            cookiesSent(exchange).every(({ name }) => !attributes.has(name.toLowerCase())),
          'Your Cookie has attributes of Set-Cookie.',
        ),
        when(
          (exchange) => cookieSent(exchange, 'flavour') === 'oat',
          'Your Cookie does not have the flavour oat, once.',
        ),
      ]),
    ],
  ),
  http(
    'http-connection',
    3,
    texts(
      'One connection',
      'Send two GET requests to /api/http/connection over one connection.',
      'When does a connection end? | RFC 9112 section 9.3: HTTP/1.1 connections stay open unless one side closes them. | curl with the URL twice in one command, or a session of your client',
      'A reused connection saves handshakes. Read each body to its end, or the connection cannot be reused.',
      cite('RFC 9112', '9.3'),
    ),
    [
      step('GET /api/http/connection', [status(200)], { keep: keep({ port: portOf }) }),
      step('GET /api/http/connection', [
        status(200),
        when(
          (exchange, { port }) => exchange.isReused && portOf(exchange) === port,
          'This request came over another connection than the one before.',
        ),
      ]),
    ],
  ),
];

export const httpTrack = [...methods, ...negotiating, ...validators, ...ranges];
