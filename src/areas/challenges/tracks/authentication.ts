/** Challenges about authentication. */

import {
  formSent,
  header,
  jsonSent,
  keepMembers,
  markOf,
  member,
  noHeader,
  ownBearer,
  sent,
  status,
  textOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';

const auth = inTrack('authentication');
const jwt = '/api/auth/jwt';
const oauth = '/api/auth/oauth';
const session = '/api/auth/session';

const login = step(
  'Log in at /api/auth/jwt/login.',
  `POST ${jwt}/login`,
  [status(200, 'The user name or the password is wrong. GET /api/auth lists them.')],
  {
    keep: keepMembers('accessToken', 'refreshToken'),
  },
);

const getToken = step(
  'Get an access token with client credentials.',
  `POST ${oauth}/token`,
  [status(200, 'The client or the grant was rejected. GET /api/auth lists the client.')],
  {
    keep: keepMembers('access_token'),
  },
);

export const authenticationTrack = [
  auth(
    'auth-basic',
    1,
    texts(
      'User name and password',
      'Authenticate at /api/auth/basic.',
      'GET /api/auth lists the demo user. | The scheme is Basic. | curl -u demo:{password}',
      'Basic sends user name and password as base64, so it needs TLS.',
      'RFC 7617 section 2',
    ),
    [
      step('Send Basic credentials to /api/auth/basic.', '* /api/auth/basic', [
        header('authorization', /./, 'You sent no Authorization.'),
        header('authorization', /^basic /i, 'The scheme must be Basic.'),
        status(200, 'The user name or the password is wrong. GET /api/auth lists them.'),
      ]),
    ],
  ),
  auth(
    'auth-challenge',
    1,
    texts(
      'Wait for the challenge',
      'Get 401 at /api/auth/basic, then authenticate with the scheme that it names.',
      'Send the first request without credentials. | WWW-Authenticate names the scheme. | Then curl -u demo:{password}',
      'Clients can wait for the challenge, which names scheme and realm.',
      'RFC 9110 section 11.6.1',
    ),
    [
      step('Get 401 without credentials.', '* /api/auth/basic', [
        noHeader('authorization', 'You sent credentials at once. First get the challenge.'),
        status(401),
      ]),
      step('Authenticate.', '* /api/auth/basic', [
        header('authorization', /^basic /i, 'You repeated the request without Basic credentials.'),
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
      'Without credentials, this path is 404. | No challenge will come: send credentials with the first request. | curl sends them at once: curl -u ada:secret',
      'Some servers hide what exists. Preemptive credentials are then necessary.',
      'RFC 7617 section 2.2',
    ),
    [
      step(
        'Send Basic credentials to /api/auth/basic-hidden/ada/secret.',
        'GET /api/auth/basic-hidden/:a/:b',
        [
          header(
            'authorization',
            /^basic /i,
            '404 without a challenge: this path needs Basic credentials in the first request.',
          ),
          status(200, 'The credentials are not those in the path.'),
        ],
      ),
    ],
  ),
  auth(
    'auth-digest',
    3,
    texts(
      'A password that is never sent',
      'Authenticate at /api/auth/digest.',
      'The first response has a challenge with a nonce. | The response is a hash of user, password, nonce, method and URL. | curl --digest -u demo:{password}',
      'Digest proves that the client knows the password, without sending it.',
      'RFC 7616 section 3.4',
    ),
    [
      step('Get the challenge of /api/auth/digest.', 'GET|POST /api/auth/digest', [
        status(401, 'First get the challenge, without credentials.'),
      ]),
      step('Respond to the challenge.', 'GET|POST /api/auth/digest', [
        header('authorization', /^digest /i, 'The scheme must be Digest.'),
        status(200, 'The digest is wrong: compare method, URL, nonce and password.'),
      ]),
    ],
  ),
  auth(
    'auth-api-key',
    1,
    texts(
      'A key, but not in the URL',
      'Send the API key in a header to /api/auth/api-key/header.',
      'GET /api/auth lists the key. | URLs end up in logs; headers do not. | X-API-Key: {key}',
      'Keys in URLs are stored in logs, histories and Referer.',
      'RFC 6750 section 5.3',
    ),
    [
      step(
        'Send X-API-Key to /api/auth/api-key/header.',
        'GET /api/auth/api-key/header|/api/auth/api-key/query',
        [
          when(
            ({ query }) => !query.has('api_key'),
            'You sent the key in the URL, where logs keep it.',
          ),
          header('x-api-key', /./, 'You sent no X-API-Key.'),
          status(200, 'The key is wrong. GET /api/auth lists it.'),
        ],
      ),
    ],
  ),
  auth(
    'auth-key-cookie',
    1,
    texts(
      'A key as a cookie',
      'Send the API key as a cookie to /api/auth/api-key/cookie.',
      'The cookie is api_key. | Cookie has only names and values. | curl -b api_key={key}',
      'A cookie is a header as well, but browsers add it by themselves.',
      'RFC 6265 section 5.4',
    ),
    [
      step('Send the cookie api_key.', 'GET /api/auth/api-key/cookie', [
        header('cookie', /api_key=/, 'You sent no cookie api_key.'),
        status(200, 'The key is wrong. GET /api/auth lists it.'),
      ]),
    ],
  ),
  auth(
    'auth-roles',
    2,
    texts(
      'Not you',
      'Get 403 at /api/auth/roles/admin, then 200 with sufficient rights.',
      'The token of the role user is known, but not sufficient. | 403 lists the required roles. | Use the token of the role admin.',
      '401 means unknown, 403 means known but not allowed.',
      'RFC 9110 section 15.5.4',
    ),
    [
      step('Get 403 with the token of a user.', 'GET /api/auth/roles/admin', [
        header('authorization', /^bearer /i, 'You sent no bearer token: that is 401, not 403.'),
        status(403, 'First use a token without the role admin.'),
      ]),
      step('Get 200 with the token of an admin.', 'GET /api/auth/roles/admin', [
        status(200, 'This token does not have the role admin either.'),
      ]),
    ],
  ),
  auth(
    'auth-jwt',
    1,
    texts(
      'Log in',
      'Log in at /api/auth/jwt/login, and read /api/auth/jwt/me.',
      'POST {username, password} as JSON. | The response has accessToken. | Authorization: Bearer {accessToken}',
      'The access token represents the login until it expires.',
      'RFC 6750 section 2.1',
    ),
    [
      login,
      step('Read /api/auth/jwt/me with the access token.', `GET ${jwt}/me`, [
        header('authorization', /^bearer /i, 'You sent no bearer token.'),
        ownBearer('accessToken', 'This is not the access token of your login.'),
        status(200),
      ]),
    ],
  ),
  auth(
    'auth-expired',
    2,
    texts(
      'Expired',
      'Get 401 with the token of /api/auth/jwt/expired, then log in and get 200 at /api/auth/jwt/me.',
      'The 401 says invalid_token and when it expired. | Log in again on such a 401. | Then use the new token.',
      'A client that gets invalid_token needs a new token, not a retry.',
      'RFC 6750 section 3.1',
    ),
    [
      step('Get 401 at /api/auth/jwt/me with the expired token.', `GET ${jwt}/me`, [
        header(
          'authorization',
          /^bearer /i,
          'You sent no token. Use the one of /api/auth/jwt/expired.',
        ),
        status(401, 'This token has not expired.'),
      ]),
      login,
      step('Read /api/auth/jwt/me with the new token.', `GET ${jwt}/me`, [
        ownBearer('accessToken', 'This is still not the token of your login.'),
        status(200),
      ]),
    ],
  ),
  auth(
    'auth-refresh',
    2,
    texts(
      'Refresh',
      'Log in, exchange the refresh token, and use the new access token.',
      'POST /api/auth/jwt/refresh with refreshToken. | Each refresh token works once. | Use the accessToken of the second response.',
      'Rotation detects stolen refresh tokens: the second use revokes all of them.',
      'RFC 9700 section 4.14',
    ),
    [
      login,
      step(
        'Exchange the refresh token.',
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
      step('Use the new access token.', `GET ${jwt}/me`, [
        ownBearer('accessToken', 'You used the old access token.'),
        status(200),
      ]),
    ],
  ),
  auth(
    'auth-client-credentials',
    2,
    texts(
      'A program logs in',
      'Get a token with client credentials and the scope read, and use it.',
      'The body is a form, not JSON. | grant_type=client_credentials&scope=read, with Basic for the client. | Then Authorization: Bearer at /api/auth/oauth/protected',
      'Without a user, the client authenticates itself.',
      'RFC 6749 section 4.4',
    ),
    [
      {
        ...getToken,
        checks: [
          when(
            (exchange) => formSent(exchange, 'grant_type') === 'client_credentials',
            'The body must be a form with grant_type=client_credentials.',
          ),
          when(
            (exchange) => formSent(exchange, 'scope') === 'read',
            'Request only the scope read.',
          ),
          ...getToken.checks,
        ],
      },
      step('Read /api/auth/oauth/protected with the token.', `GET ${oauth}/protected`, [
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
      'Get a token, revoke it, and get 401 with it.',
      'POST /api/auth/oauth/revoke with the form member token. | The client authenticates with Basic. | Then use the token once more.',
      'Revoke tokens when a user logs out; do not only forget them.',
      'RFC 7009 section 2',
    ),
    [
      getToken,
      step('Revoke it.', `POST ${oauth}/revoke`, [
        when(
          (exchange, memo) => markOf(formSent(exchange, 'token')) === memo.access_token,
          'You revoked another token than yours.',
        ),
        status(200, 'The client was not authenticated.'),
      ]),
      step('Get 401 with the revoked token.', `GET ${oauth}/protected`, [
        ownBearer('access_token', 'This is another token than the revoked one.'),
        status(401),
      ]),
    ],
  ),
  auth(
    'auth-introspect',
    2,
    texts(
      'What is this token?',
      'Get a token, and introspect it.',
      'POST /api/auth/oauth/introspect with the form member token. | The client authenticates with Basic. | The response has active.',
      'A resource server can introspect an opaque token at the issuer.',
      'RFC 7662 section 2',
    ),
    [
      getToken,
      step('Introspect it.', `POST ${oauth}/introspect`, [
        when(
          (exchange, memo) => markOf(formSent(exchange, 'token')) === memo.access_token,
          'You introspected another token than yours.',
        ),
        status(200, 'The client was not authenticated.'),
      ]),
    ],
  ),
  auth(
    'auth-hmac',
    3,
    texts(
      'Signed',
      'Send a request with a valid signature to /api/auth/hmac.',
      'Sign the Unix time, a dot, and the body. | HMAC-SHA256 with the secret of GET /api/auth, in hex. | X-Timestamp and X-Signature',
      'A signature shows that the body was not changed, and a time limits replays.',
      'RFC 2104 section 2',
    ),
    [
      step('Send a signed POST to /api/auth/hmac.', 'POST /api/auth/hmac', [
        header('x-timestamp', /./, 'You sent no X-Timestamp.'),
        header('x-timestamp', /^\d{10}$/, 'X-Timestamp must be in whole seconds.'),
        header('x-signature', /./, 'You sent no X-Signature.'),
        status(
          200,
          'The signature is wrong: sign the bytes that you send, after the time and a dot.',
        ),
      ]),
    ],
  ),
  auth(
    'auth-csrf',
    2,
    texts(
      'Cookie and header',
      'Submit /api/auth/csrf/submit with its token.',
      'GET /api/auth/csrf/token sets a cookie. | Send the same token as a header. | X-CSRF-Token and the cookie XSRF-TOKEN',
      'Another site can make a browser send the cookie, but cannot read it for the header.',
      'RFC 6265 section 8.2',
    ),
    [
      step('Get a token.', 'GET /api/auth/csrf/token', [status(200)]),
      step('Submit with cookie and header.', 'POST /api/auth/csrf/submit', [
        header('cookie', /XSRF-TOKEN/i, 'You sent the form without the cookie.'),
        when(
          (exchange) =>
            sent(exchange, 'x-csrf-token') !== '' || sent(exchange, 'x-xsrf-token') !== '',
          'You sent the cookie, but not the token as a header.',
        ),
        status(200, 'Cookie and header differ.'),
      ]),
    ],
  ),
  auth(
    'auth-session',
    2,
    texts(
      'A session',
      'Log in at /api/auth/session/login, read me, and log out.',
      'POST {username, password} as JSON. | The response sets a cookie; send it. | POST /api/auth/session/logout',
      'The server keeps the session; the cookie only names it.',
      'RFC 6265 section 5.4',
    ),
    [
      step('Log in at /api/auth/session/login.', `POST ${session}/login`, [
        member(
          'username',
          (value) => value === 'ada' || value === 'grace',
          'Log in as ada or grace.',
        ),
        status(200, 'The password is wrong. GET /api/auth lists it.'),
      ]),
      step('Read /api/auth/session/me.', `GET ${session}/me`, [
        header('cookie', /./, 'You sent no cookie. Send the one of Set-Cookie.'),
        status(200),
      ]),
      step('Log out.', `POST ${session}/logout`, [
        header('cookie', /./, 'You logged out without the cookie.'),
        status(204),
      ]),
    ],
  ),
];
