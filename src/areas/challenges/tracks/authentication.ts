/** Challenges about authentication. */

import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  cookieSent,
  cookiesSent,
  form,
  header,
  is,
  isAbsent,
  isThere,
  jsonReceived,
  jsonSent,
  keep,
  keepMembers,
  markOf,
  ownBearer,
  ownField,
  part,
  schemeOf,
  sent,
  status,
  textOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { authenticationCases } from './cases/authentication.js';

const auth = inTrack('authentication', authenticationCases);
const jwt = '/api/auth/jwt';
const oauth = '/api/auth/oauth';
const session = '/api/auth/session';

const scheme = (name: string, otherwise: string) =>
  when((exchange) => schemeOf(exchange) === name, otherwise);

const login = step(
  `POST ${jwt}/login`,
  [status(200, 'The login failed: the user name or the password is wrong.')],
  { keep: keepMembers('accessToken', 'refreshToken') },
);

const me = (otherwise: string, code = 200, kept = 'accessToken') =>
  step(`GET|HEAD ${jwt}/me`, [
    scheme('bearer', 'You sent no bearer token.'),
    ownBearer(kept, otherwise),
    status(code),
  ]);

const getToken = step(
  `POST ${oauth}/token`,
  [status(200, 'You got no token: the client or the grant was rejected.')],
  { keep: keepMembers('access_token') },
);

const guarded = `GET|HEAD ${oauth}/protected`;

const passwords = [
  auth(
    'auth-basic',
    1,
    texts(
      'User name and password',
      'Authenticate at /api/auth/basic by Basic.',
      'What does HTTP itself offer for a user name and a password? | RFC 7617 section 2: Basic has both as base64; GET /api/auth lists the demo user. | curl -u demo:{password} with /api/auth/basic',
      'Basic sends user name and password as base64, so it needs TLS.',
      cite('RFC 7617', '2'),
    ),
    [
      step('* /api/auth/basic', [
        header('authorization', isThere, 'You sent no credentials.'),
        scheme('basic', 'Your credentials have another scheme.'),
        status(200, 'The user name or the password is wrong.'),
      ]),
    ],
  ),
  auth(
    'auth-challenge',
    1,
    texts(
      'Wait for the challenge',
      'Get 401 at /api/auth/basic without credentials, then authenticate there with the scheme that the response names.',
      'How does a client learn which credentials a server wants? | RFC 9110 section 11.6.1: WWW-Authenticate of the 401 names scheme and realm. | GET /api/auth/basic, then the same with curl -u demo:{password}',
      'Clients can wait for the challenge, which names scheme and realm.',
      cite('RFC 9110', '11.6.1'),
    ),
    [
      step('* /api/auth/basic', [
        header('authorization', isAbsent, 'You sent credentials before the challenge.'),
        status(401),
      ]),
      step('* /api/auth/basic', [
        scheme('basic', 'You sent no credentials of the scheme in the challenge.'),
        status(200, 'The user name or the password is wrong.'),
      ]),
    ],
  ),
  auth(
    'auth-hidden',
    2,
    texts(
      'Credentials without a challenge',
      'Get 200 at /api/auth/basic-hidden/ada/secret.',
      'What if no challenge ever comes? | RFC 7617 section 2.2: a client may send credentials with the first request. | curl -u ada:secret with /api/auth/basic-hidden/ada/secret',
      'Some servers hide what exists. Preemptive credentials are then necessary.',
      cite('RFC 7617', '2.2'),
    ),
    [
      step('GET|HEAD /api/auth/basic-hidden/:a/:b', [
        when(
          (exchange) => part(exchange, 'a') === 'ada' && part(exchange, 'b') === 'secret',
          'This is another path.',
        ),
        scheme('basic', 'This request had no Basic credentials, and no challenge will follow.'),
        status(200, 'The credentials are not those in the path.'),
      ]),
    ],
  ),
  auth(
    'auth-digest',
    3,
    texts(
      'A password that is never sent',
      'Authenticate at /api/auth/digest by Digest.',
      'How can a client show that it knows a password, without sending it? | RFC 7616 section 3.4: the response is a hash of user, password, nonce, method and URL; the nonce comes in a 401. | curl --digest -u demo:{password} with /api/auth/digest',
      'Digest proves that the client knows the password, without sending it.',
      cite('RFC 7616', '3.4'),
    ),
    [
      step('* /api/auth/digest', [
        header('authorization', isThere, 'This request had no credentials, and got a challenge.'),
        scheme('digest', 'Your credentials have another scheme.'),
        status(200, 'The digest does not fit the method, the URL, the nonce or the password.'),
      ]),
    ],
  ),
];

const keys = [
  auth(
    'auth-api-key',
    1,
    texts(
      'A key, but not in the URL',
      'Send the API key in a header, and not in the URL, to /api/auth/api-key/header.',
      'Who else reads URLs? | RFC 6750 section 5.3: no credentials in URLs, which end up in logs. GET /api/auth lists the key. | GET /api/auth/api-key/header with X-API-Key: {key}',
      'Keys in URLs are stored in logs, histories and Referer.',
      cite('RFC 6750', '5.3'),
    ),
    [
      step('GET|HEAD /api/auth/api-key/header|/api/auth/api-key/query|/api/auth/api-key/cookie', [
        when(
          ({ query }) => !query.has('api_key'),
          'You sent the key in the URL, where logs keep it.',
        ),
        when(({ route }) => route.endsWith('/header'), 'This is another path.'),
        header('x-api-key', isThere, 'You sent no key in a header.'),
        status(200, 'The key is wrong.'),
      ]),
    ],
  ),
  auth(
    'auth-key-cookie',
    1,
    texts(
      'A key as a cookie',
      'Send the API key as the cookie api_key to /api/auth/api-key/cookie.',
      'Which header has cookies in a request? | RFC 6265 section 5.4: Cookie has names and values, and no attributes. GET /api/auth lists the key. | curl -b api_key={key} with /api/auth/api-key/cookie',
      'A cookie is a header as well, but browsers add it by themselves.',
      cite('RFC 6265', '5.4'),
    ),
    [
      step('GET|HEAD /api/auth/api-key/cookie', [
        when(
          (exchange) => cookieSent(exchange, 'api_key') !== '',
          'You sent no cookie api_key, or sent it twice.',
        ),
        status(200, 'The key is wrong.'),
      ]),
    ],
  ),
  auth(
    'auth-roles',
    2,
    texts(
      'Not you',
      'Get 403 at /api/auth/roles/admin, then 200 there with sufficient rights.',
      'What is the difference between unknown and not allowed? | RFC 9110 section 15.5.4: 403 means that the server knows the caller, and rejects the request. GET /api/auth lists tokens and their roles. | GET /api/auth/roles/admin with the token of the role user, then with the token of the role admin',
      '401 means unknown, 403 means known but not allowed.',
      cite('RFC 9110', '15.5.4'),
    ),
    [
      step('GET|HEAD /api/auth/roles/admin', [
        when(({ status: code }) => code !== 401, 'The service does not know you: that is 401.'),
        status(403, 'The token of this request has the role admin.'),
      ]),
      step('GET|HEAD /api/auth/roles/admin', [
        status(200, 'The token of this request does not have the role admin either.'),
      ]),
    ],
  ),
  auth(
    'auth-hmac',
    3,
    texts(
      'Signed',
      'Send a request with a valid signature to /api/auth/hmac.',
      'How can a receiver see that a body was not changed on its way? | RFC 2104 section 2: an HMAC of the text with a secret. Here the text is the Unix time, a dot and the body; GET /api/auth lists the secret. | POST /api/auth/hmac with X-Timestamp and X-Signature, the HMAC-SHA256 in hex',
      'A signature shows that the body was not changed, and a time limits replays.',
      cite('RFC 2104', '2'),
    ),
    [
      step('POST /api/auth/hmac', [
        header('x-timestamp', isThere, 'You sent no X-Timestamp.'),
        header(
          'x-timestamp',
          (time) => Number(time) < 1e11,
          'X-Timestamp is not in whole seconds.',
        ),
        header('x-signature', isThere, 'You sent no X-Signature.'),
        status(200, 'The signature does not fit the time and the bytes that you sent.'),
      ]),
    ],
  ),
];

const tokens = [
  auth(
    'auth-jwt',
    1,
    texts(
      'Log in',
      'Log in at /api/auth/jwt/login, and read /api/auth/jwt/me with the access token of this login.',
      'What stands for the login in later requests? | RFC 6750 section 2.1: a bearer token in Authorization. | POST {username, password} as JSON to /api/auth/jwt/login, then GET /api/auth/jwt/me with Authorization: Bearer {accessToken}',
      'The access token represents the login until it expires.',
      cite('RFC 6750', '2.1'),
    ),
    [login, me('This is not the access token of your login.')],
  ),
  auth(
    'auth-expired',
    2,
    texts(
      'Expired',
      'Get a token of /api/auth/jwt/expired and 401 with it at /api/auth/jwt/me, then log in and get 200 there with the new token.',
      'What should a client do when its token has expired? | RFC 6750 section 3.1: the 401 says invalid_token, so another token is needed. | GET /api/auth/jwt/expired, GET /api/auth/jwt/me with its token, POST /api/auth/jwt/login, then GET /api/auth/jwt/me with the new token',
      'A client that gets invalid_token needs a new token, not a retry.',
      cite('RFC 6750', '3.1'),
    ),
    [
      step('GET /api/auth/jwt/expired', [status(200)], {
        keep: keep({ expired: (exchange) => markOf(String(jsonReceived(exchange).accessToken)) }),
      }),
      me('This is not the token of /api/auth/jwt/expired.', 401, 'expired'),
      login,
      me('This is not the token of your login.'),
    ],
  ),
  auth(
    'auth-refresh',
    2,
    texts(
      'Refresh',
      'Log in, exchange the refresh token, and use the new access token at /api/auth/jwt/me.',
      'How can a client stay logged in without keeping the password? | RFC 9700 section 4.14: refresh tokens, each of which works once. | POST /api/auth/jwt/refresh with {refreshToken}, then GET /api/auth/jwt/me with the accessToken of the response',
      'Rotation detects stolen refresh tokens: the second use revokes all of them.',
      cite('RFC 9700', '4.14'),
    ),
    [
      login,
      step(
        `POST ${jwt}/refresh`,
        [
          when(
            (exchange, memo) =>
              markOf(textOf(jsonSent(exchange).refreshToken)) === memo.refreshToken,
            'This is not the refresh token of your login.',
          ),
          status(200),
        ],
        { keep: keepMembers('accessToken') },
      ),
      me('This is not the new access token.'),
    ],
  ),
  auth(
    'auth-client-credentials',
    2,
    texts(
      'A program logs in',
      'Get a token at /api/auth/oauth/token with client credentials and the scope read, and no other, and use it at /api/auth/oauth/protected.',
      'Who logs in if there is no user? | RFC 6749 section 4.4: the client itself; the body is a form with grant_type=client_credentials. GET /api/auth lists the client. | POST grant_type=client_credentials&scope=read with Basic, then GET /api/auth/oauth/protected with the token',
      'Without a user, the client authenticates itself.',
      cite('RFC 6749', '4.4'),
    ),
    [
      {
        ...getToken,
        checks: [
          form(
            'grant_type',
            is('client_credentials'),
            'The body is no form with the grant of client credentials.',
          ),
          form('scope', is('read'), 'You did not request the scope read, and only it.'),
          ...getToken.checks,
        ],
      },
      step(guarded, [
        ownBearer('access_token', 'This is not the token that you got.'),
        status(200),
      ]),
    ],
  ),
  auth(
    'auth-revoke',
    3,
    texts(
      'No longer valid',
      'Get a token at /api/auth/oauth/token, revoke it, and get 401 with it at /api/auth/oauth/protected.',
      'What happens to a token that a client merely forgets? | RFC 7009 section 2: the client revokes it by a form with token, and authenticates itself. | POST token={token} to /api/auth/oauth/revoke with Basic, then GET /api/auth/oauth/protected with the token',
      'Revoke tokens when a user logs out; do not only forget them.',
      cite('RFC 7009', '2'),
    ),
    [
      getToken,
      step(`POST ${oauth}/revoke`, [
        ownField('token', 'access_token', 'This is not the token that you got.'),
        status(200, 'The client was not authenticated.'),
      ]),
      step(guarded, [
        ownBearer('access_token', 'This is not the token that you revoked.'),
        status(401),
      ]),
    ],
  ),
  auth(
    'auth-introspect',
    2,
    texts(
      'What is this token?',
      'Get a token at /api/auth/oauth/token, and learn by introspection that it is active.',
      'How can a server judge a token that has no readable content? | RFC 7662 section 2: it asks the issuer by a form with token, and authenticates itself. | POST token={token} to /api/auth/oauth/introspect with Basic',
      'A resource server can introspect an opaque token at the issuer.',
      cite('RFC 7662', '2'),
    ),
    [
      getToken,
      step(`POST ${oauth}/introspect`, [
        ownField('token', 'access_token', 'This is not the token that you got.'),
        status(200, 'The client was not authenticated.'),
        when((exchange) => jsonReceived(exchange).active === true, 'The token is not active.'),
      ]),
    ],
  ),
];

/** Returns marks of the session cookies that a response sets. */
function sessionSet({ responseHeaders }: Exchange): string | undefined {
  const headers = [responseHeaders['set-cookie'] ?? []].flat().map(String);
  const pairs = headers.map((each) => each.split(';', 1)[0] ?? '');
  const last = pairs.findLast((pair) => /^(?:__Host-)?session=./.test(pair));
  return last === undefined ? undefined : markOf(last);
}

const noteSession = {
  on: `POST ${session}/login|${session}/totp|${session}/recovery`,
  keep: (exchange: Exchange, memo: Memo): Memo => {
    const set = sessionSet(exchange);
    return set === undefined ? memo : { ...memo, session: set };
  },
};

const ownSession = [
  header('cookie', isThere, 'You sent no cookie.'),
  when(
    (exchange, memo) =>
      cookiesSent(exchange).some(({ name, value }) => markOf(`${name}=${value}`) === memo.session),
    'You sent another session than the one of your login.',
  ),
];

const cookies = [
  auth(
    'auth-csrf',
    2,
    texts(
      'Cookie and header',
      'Get a token of /api/auth/csrf/token, and submit /api/auth/csrf/submit with it as the cookie and as a header.',
      'What can another site not do with a cookie that the browser sends? | RFC 6265 section 8.2: the browser adds the cookie to any request; only the own site can read it and repeat it. | POST /api/auth/csrf/submit with Cookie: XSRF-TOKEN={token} and X-CSRF-Token: {token}',
      'Another site can make a browser send the cookie, but cannot read it for the header.',
      cite('RFC 6265', '8.2'),
    ),
    [
      step('GET /api/auth/csrf/token', [status(200)], { keep: keepMembers('csrfToken') }),
      step('POST /api/auth/csrf/submit', [
        when(
          (exchange) => cookiesSent(exchange).some(({ name }) => name === 'XSRF-TOKEN'),
          'You submitted without the cookie.',
        ),
        when(
          (exchange) => sent(exchange, 'x-csrf-token') + sent(exchange, 'x-xsrf-token') !== '',
          'You submitted without the header.',
        ),
        status(200, 'Cookie and header differ, or the token is not valid.'),
        when(
          (exchange, { csrfToken }) =>
            cookiesSent(exchange).some(({ value }) => markOf(value) === csrfToken),
          'This is not the token that you got.',
        ),
      ]),
    ],
  ),
  auth(
    'auth-session',
    2,
    texts(
      'A session',
      'Log in at /api/auth/session/login, read /api/auth/session/me with the session of this login, and end it at /api/auth/session/logout.',
      'What names the session in later requests? | RFC 6265 section 5.4: the cookie of Set-Cookie. GET /api/auth lists the users. | POST {username, password} as JSON to /api/auth/session/login, then GET me and POST logout, both with the cookie',
      'The server keeps the session; the cookie only names it.',
      cite('RFC 6265', '5.4'),
    ),
    [
      step(`POST ${session}/login`, [
        when(
          ({ status: code }) => code !== 403,
          'The form was rejected: it has no valid CSRF token of this browser.',
        ),
        when(
          ({ status: code }) => code < 400,
          'The login failed: the user name or the password is wrong.',
        ),
      ]),
      step(`GET|HEAD ${session}/me`, [
        ...ownSession,
        status(200, 'The login is not complete, or the session has ended.'),
      ]),
      step(`POST ${session}/logout`, [
        ...ownSession,
        when(({ status: code }) => code < 400, 'The logout was rejected.'),
      ]),
    ],
    { notes: [noteSession] },
  ),
];

export const authenticationTrack = [...passwords, ...keys, ...tokens, ...cookies];
