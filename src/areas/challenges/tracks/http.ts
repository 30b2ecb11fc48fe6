/** Challenges about HTTP itself. */

import { readPreferences } from '../../../http/negotiation/read-preferences.js';
import { header, keepHeader, noHeader, query, received, sent, status, when } from '../checks.js';
import { inTrack, step } from '../track.js';

const http = inTrack('http');

const record = '/api/Books/:id';
const bytes = '/api/http/bytes/:n';

export const httpTrack = [
  http(
    'http-head',
    1,
    {
      title: 'Only the headers',
      goal: 'Get the headers of /api/Books/1 without its body.',
      hints: [
        'One method returns what GET would return, without the content.',
        'The method is HEAD.',
        'curl -I sends HEAD: curl -I {base}/api/Books/1',
      ],
      explanation:
        'HEAD is GET without content. Clients use it to check size, type and entity tag.',
      section: 'RFC 9110 section 9.3.2',
    },
    [
      step('Send HEAD to /api/Books/1.', `HEAD|GET ${record}`, [
        when(
          ({ method }) => method === 'HEAD',
          'You sent GET, which also transfers the body. Use HEAD.',
        ),
        status(200),
      ]),
    ],
  ),
  http(
    'http-not-modified',
    1,
    {
      title: 'Not modified',
      goal: 'Read /api/Books/1, then read it again so that the response is 304.',
      hints: [
        'The first response has an entity tag in ETag.',
        'Send the tag in If-None-Match.',
        "curl -H 'If-None-Match: {tag}' with the double quotes of the tag.",
      ],
      explanation:
        'An entity tag identifies a version. 304 confirms that the copy of a client is current, and saves the transfer.',
      section: 'RFC 9110 section 13.1.2',
    },
    [
      step('Read /api/Books/1 with GET.', `GET ${record}`, [status(200)], {
        keep: keepHeader('etag', 'etag'),
      }),
      step('Read it again with If-None-Match, and get 304.', `GET|HEAD ${record}`, [
        when(
          (exchange) => sent(exchange, 'if-none-match') !== '',
          'You read the book again, but without If-None-Match.',
        ),
        when(
          (exchange) => sent(exchange, 'if-none-match') !== '*',
          'If-None-Match: * matches every version. Send the tag that you read.',
        ),
        when(
          (exchange) => sent(exchange, 'if-none-match').includes('"'),
          'You sent If-None-Match, but the tag has no double quotes.',
        ),
        status(304, 'You sent If-None-Match, but with another tag than the ETag of the response.'),
      ]),
    ],
  ),
  http(
    'http-modified-since',
    2,
    {
      title: 'Unchanged since a date',
      goal: 'Read /api/Books/2 so that a date makes the response 304.',
      hints: [
        'The response has Last-Modified.',
        'Send that date in If-Modified-Since.',
        'Do not send If-None-Match: it has priority over the date.',
      ],
      explanation:
        'If-Modified-Since compares dates with whole seconds. A server ignores it if If-None-Match is present.',
      section: 'RFC 9110 section 13.1.3',
    },
    [
      step('Read a book with If-Modified-Since, and get 304.', `GET|HEAD ${record}`, [
        noHeader(
          'if-none-match',
          'You sent If-None-Match, which has priority. Send only If-Modified-Since.',
        ),
        header('if-modified-since', /./, 'You read the book without If-Modified-Since.'),
        header(
          'if-modified-since',
          / GMT$/,
          'The date must be an HTTP date, such as Thu, 01 Jan 2026 00:00:00 GMT.',
        ),
        status(
          304,
          'The date is before the last modification. Send the Last-Modified of the response.',
        ),
      ]),
    ],
  ),
  http(
    'http-accept',
    1,
    {
      title: 'Choose the format',
      goal: 'Get the record at /api/http/formats as XML, by a header.',
      hints: [
        'The client states the formats that it understands in a header.',
        'The header is Accept, and its value a media type.',
        "curl -H 'Accept: application/xml' {base}/api/http/formats",
      ],
      explanation: 'Content negotiation selects a representation of one URL by Accept.',
      section: 'RFC 9110 section 12.5.1',
    },
    [
      step(
        'Send GET to /api/http/formats with Accept: application/xml.',
        'GET /api/http/formats|/api/http/formats/:format',
        [
          when(
            ({ route }) => route === '/api/http/formats',
            'You chose the format by path. Use the header Accept at /api/http/formats.',
          ),
          header('accept', /xml/i, 'You did not request XML in Accept.'),
          when(
            (exchange) => /xml/.test(received(exchange, 'content-type')),
            'Another format has a higher weight in your Accept.',
          ),
        ],
      ),
    ],
  ),
  http(
    'http-quality',
    2,
    {
      title: 'Prefer, but accept others',
      goal: 'Request /api/http/formats so that YAML has the highest weight, and JSON is accepted with a lower one.',
      hints: [
        'Each media type in Accept can have a weight.',
        'The weight is the parameter q, from 0 to 1.',
        'Accept: application/yaml, application/json;q=0.5',
      ],
      explanation: 'Weights rank the alternatives. Without q, the weight is 1.',
      section: 'RFC 9110 section 12.4.2',
    },
    [
      step('Send Accept with YAML first, and JSON with a lower q.', 'GET /api/http/formats', [
        header('accept', /yaml/i, 'Your Accept does not name application/yaml.'),
        header('accept', /json/i, 'Your Accept names only YAML. Add JSON as the second choice.'),
        when(
          (exchange) =>
            [...readPreferences(sent(exchange, 'accept'))].some(
              ([type, weight]) => type.endsWith('json') && weight < 1,
            ),
          'JSON has no lower weight. Add ;q=0.5 to it.',
        ),
        when(
          (exchange) => /yaml/.test(received(exchange, 'content-type')),
          'The response is not YAML: give JSON a lower weight.',
        ),
      ]),
    ],
  ),
  http(
    'http-options',
    1,
    {
      title: 'What is allowed here?',
      goal: 'Find out which methods /api/Books/1 supports, without trying them.',
      hints: [
        'One method describes the options of a resource.',
        'The method is OPTIONS; the response has Allow.',
        'curl -i -X OPTIONS {base}/api/Books/1',
      ],
      explanation: 'OPTIONS returns the methods in Allow, and changes nothing.',
      section: 'RFC 9110 section 9.3.7',
    },
    [
      step('Send OPTIONS to /api/Books/1.', `* ${record}`, [
        when(({ method }) => method === 'OPTIONS', 'You tried a method. OPTIONS lists them.'),
      ]),
    ],
  ),
  http(
    'http-allow',
    1,
    {
      title: 'The right method',
      goal: 'Get 405 at /api/methods/put, then use the method in Allow.',
      hints: [
        'GET is not supported at /api/methods/put.',
        'The response with 405 names the supported methods in Allow.',
        'Send PUT to the same path.',
      ],
      explanation: '405 always has Allow, so that a client can choose another method.',
      section: 'RFC 9110 section 15.5.6',
    },
    [
      step('Send GET to /api/methods/put, and get 405.', '* /api/methods/put', [
        status(405, 'This method is supported here. First get 405 with another one.'),
      ]),
      step('Send the method of Allow to the same path.', '* /api/methods/put', [
        status(200, 'This method is not supported either. Read Allow in the response.'),
      ]),
    ],
  ),
  http(
    'http-range',
    1,
    {
      title: 'The first hundred bytes',
      goal: 'Get exactly the first 100 bytes of /api/http/bytes/1000.',
      hints: [
        'The header Range requests a part.',
        'Both ends are included, and the first byte has the number 0.',
        'Range: bytes=0-99',
      ],
      explanation: 'Positions begin at 0 and the last byte is included: 0-99 are 100 bytes.',
      section: 'RFC 9110 section 14.2',
    },
    [
      step('Send GET with Range for 100 bytes, and get 206.', `GET ${bytes}`, [
        header('range', /./, 'You requested all bytes: there is no Range.'),
        header('range', /^bytes=/i, 'Range needs the unit bytes, as in bytes=0-99.'),
        header(
          'range',
          /^bytes=0-\d/,
          'Your range does not begin at the first byte, which has the number 0.',
        ),
        header('range', /^bytes=0-99$/, 'The last byte is included: 0-99 are a hundred bytes.'),
        status(206, 'The response must be 206.'),
      ]),
    ],
  ),
  http(
    'http-resume',
    3,
    {
      title: 'Resume safely',
      goal: 'Get the first part of /api/http/bytes/5000, then the rest, so that parts of two versions are never joined.',
      hints: [
        'Keep the ETag of the first part.',
        'Request the rest with Range: bytes={size}-',
        'Send the strong tag in If-Range.',
      ],
      explanation:
        'If-Range returns the part only if the version is the same, and everything otherwise.',
      section: 'RFC 9110 section 13.1.5',
    },
    [
      step(
        'Get the first part with Range: bytes=0-…',
        `GET ${bytes}`,
        [
          header('range', /^bytes=0-\d+$/, 'Request a first part, such as Range: bytes=0-999.'),
          status(206),
        ],
        {
          keep: (exchange, memo) => ({
            ...memo,
            etag: received(exchange, 'etag'),
            next: String(Number(/-(\d+)$/.exec(sent(exchange, 'range'))?.[1]) + 1),
          }),
        },
      ),
      step('Get the rest with Range and If-Range.', `GET ${bytes}`, [
        when(
          (exchange, { next = '' }) => sent(exchange, 'range') === `bytes=${next}-`,
          'Range must begin at the first missing byte, with an open end: bytes={size}-',
        ),
        header('if-range', /./, 'You requested the rest without If-Range.'),
        header('if-range', /^"/, 'If-Range needs a strong tag in double quotes.'),
        when(
          (exchange, { etag }) => sent(exchange, 'if-range') === etag,
          'If-Range has another tag than the first part.',
        ),
        status(206),
      ]),
    ],
  ),
  http(
    'http-compressed',
    1,
    {
      title: 'Compressed',
      goal: 'Get /api/http/encoding compressed with gzip.',
      hints: [
        'The client names the codings that it can decode.',
        'The header is Accept-Encoding.',
        'Accept-Encoding: gzip (curl --compressed may choose another coding)',
      ],
      explanation:
        'Accept-Encoding lists content codings; Content-Encoding of the response names the chosen one.',
      section: 'RFC 9110 section 12.5.3',
    },
    [
      step(
        'Send Accept-Encoding: gzip to /api/http/encoding.',
        'GET /api/http/encoding|/api/http/encoding/:coding',
        [
          when(
            ({ route }) => route === '/api/http/encoding',
            'You chose the coding by path. Use Accept-Encoding at /api/http/encoding.',
          ),
          header('accept-encoding', /gzip/i, 'Your Accept-Encoding does not name gzip.'),
          when(
            (exchange) => received(exchange, 'content-encoding') === 'gzip',
            'The server chose another coding from your list. Name only gzip, or give it the highest weight.',
          ),
        ],
      ),
    ],
  ),
  http(
    'http-send-compressed',
    3,
    {
      title: 'Send it compressed',
      goal: 'Send a gzip-compressed JSON body to /api/http/decode.',
      hints: [
        'Compress the bytes before you send them.',
        'Content-Encoding says how the body was compressed.',
        'gzip -c body.json | curl --data-binary @- with Content-Encoding: gzip',
      ],
      explanation:
        'Content-Encoding describes the coding of the body; Content-Type describes what is inside.',
      section: 'RFC 9110 section 8.4',
    },
    [
      step('Send POST /api/http/decode with Content-Encoding: gzip.', 'POST /api/http/decode', [
        header('content-encoding', /./, 'You sent the body without Content-Encoding.'),
        header('content-encoding', /^(x-)?gzip$/i, 'The coding must be gzip.'),
        status(200, 'The body is not gzip, although Content-Encoding says so.'),
      ]),
    ],
  ),
  http(
    'http-redirects',
    2,
    {
      title: 'To the end of the chain',
      goal: 'Follow every redirect from /api/http/redirect/3 to the end.',
      hints: [
        'Each response names the next URL in Location.',
        'Most clients follow redirects with an option.',
        'curl -L {base}/api/http/redirect/3',
      ],
      explanation:
        'A client resolves Location against the URL of the request, and repeats until the status is no redirect.',
      section: 'RFC 9110 section 15.4',
    },
    [
      step('Send GET to /api/http/redirect/3.', 'GET /api/http/redirect/:hops', [
        when(({ path }) => path.endsWith('/3'), 'Begin at /api/http/redirect/3.'),
      ]),
      step('Follow its Location.', 'GET /api/http/redirect/:hops|/api/http/redirect/end', [
        when(({ path }) => path.endsWith('/2'), 'You skipped a redirect: follow each Location.'),
      ]),
      step('Follow the next Location.', 'GET /api/http/redirect/:hops|/api/http/redirect/end', [
        when(({ path }) => path.endsWith('/1'), 'You skipped a redirect: follow each Location.'),
      ]),
      step('Arrive at the end.', 'GET /api/http/redirect/end', [status(200)]),
    ],
  ),
  http(
    'http-keep-method',
    3,
    {
      title: 'Redirected, but still a POST',
      goal: 'Send POST with a body to /api/http/redirect/1?status=308, and send the same method to its Location.',
      hints: [
        '301 and 302 may turn POST into GET. 307 and 308 must not.',
        'The body must be sent again.',
        'curl -L keeps the method for 307 and 308.',
      ],
      explanation:
        '307 and 308 keep method and content, so a client must be able to send the body twice.',
      section: 'RFC 9110 section 15.4.9',
    },
    [
      step(
        'Send POST with a body to /api/http/redirect/1?status=308.',
        'POST /api/http/redirect/:hops',
        [
          query('status', /^30[78]$/, 'Request the status 308 with ?status=308.'),
          header('content-length', /^[1-9]/, 'The POST has no body.'),
        ],
      ),
      step('Send POST with the body to Location.', '* /api/http/redirect/end', [
        when(
          ({ method }) => method === 'POST',
          'You followed with another method. 308 keeps POST.',
        ),
        header('content-length', /^[1-9]/, 'You followed with POST, but without the body.'),
      ]),
    ],
  ),
  http(
    'http-cookie',
    2,
    {
      title: 'Bring the cookie back',
      goal: 'Get the cookie flavour from /api/http/cookies/set?flavour=oat, and send it to /api/http/cookies.',
      hints: [
        'The response sets the cookie with Set-Cookie.',
        'A cookie jar stores cookies and sends them in Cookie.',
        'curl -c jar -b jar for both requests.',
      ],
      explanation: 'Set-Cookie has attributes; Cookie has only names and values.',
      section: 'RFC 6265 section 4',
    },
    [
      step('Send GET to /api/http/cookies/set?flavour=oat.', 'GET /api/http/cookies/set', [
        query('flavour', /^oat$/, 'Set the cookie flavour to oat: ?flavour=oat.'),
      ]),
      step('Send GET to /api/http/cookies with the cookie.', 'GET /api/http/cookies', [
        header('cookie', /./, 'You sent no cookie. Follow with the cookie of Set-Cookie.'),
        when(
          (exchange) => isPlainCookie(sent(exchange, 'cookie'), 'flavour=oat'),
          'Cookie must hold only flavour=oat, without attributes.',
        ),
      ]),
    ],
  ),
  http(
    'http-connection',
    3,
    {
      title: 'One connection',
      goal: 'Send two requests to /api/http/connection over one connection.',
      hints: [
        'HTTP/1.1 connections stay open unless one side closes them.',
        'Use a session, an agent, or a pool with keep-alive.',
        'curl reuses the connection for several URLs in one command.',
      ],
      explanation:
        'A reused connection saves handshakes. Read each body to its end, or the connection cannot be reused.',
      section: 'RFC 9112 section 9.3',
    },
    [
      step('Send GET to /api/http/connection.', 'GET /api/http/connection', [status(200)]),
      step('Send it again over the same connection.', 'GET /api/http/connection', [
        when(({ isReused }) => isReused, 'You opened a new connection for the second request.'),
      ]),
    ],
  ),
  http(
    'http-problem',
    2,
    {
      title: 'A problem with details',
      goal: 'Get the 404 of /api/Books/99999 as problem details.',
      hints: [
        'Errors have a standard format with its own media type.',
        'The media type is application/problem+json.',
        "curl -H 'Accept: application/problem+json' {base}/api/Books/99999",
      ],
      explanation:
        'Problem details have type, title, status and detail, so that programs can handle errors alike.',
      section: 'RFC 9457 section 3',
    },
    [
      step('Get a 404 of a book as application/problem+json.', `GET ${record}`, [
        status(404, 'This book exists. Read a book that does not.'),
        header(
          'accept',
          /problem\+json/i,
          'You got 404, but without Accept: application/problem+json.',
        ),
      ]),
    ],
  ),
];

/** Returns whether a Cookie header has a pair, and no attributes of Set-Cookie (RFC 6265 section 4.2). */
function isPlainCookie(cookie: string, pair: string): boolean {
  const pairs = cookie.split(';').map((each) => each.trim().toLowerCase());
  const attributes = ['path', 'httponly', 'max-age'];
  return (
    pairs.includes(pair) && !pairs.some((each) => attributes.includes(each.split('=', 1)[0] ?? ''))
  );
}
