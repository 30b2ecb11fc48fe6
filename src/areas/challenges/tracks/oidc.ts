/** Challenges about OpenID Connect. */

import type { Exchange } from '../../../kit/recording/exchange-record.js';
import {
  form,
  formSent,
  keepMembers,
  markOf,
  ownBearer,
  query,
  received,
  status,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';

const oidc = inTrack('oidc');
const token = 'POST /oidc/token';
/** Returns the code in the query or fragment of Location. */
function codeIn(exchange: Exchange): string {
  const [, ...parts] = received(exchange, 'location').split(/[?#]/);
  return new URLSearchParams(parts.join('&')).get('code') ?? '';
}
const isSame = (name: string, kept: string, otherwise: string) =>
  when((exchange, memo) => markOf(formSent(exchange, name)) === memo[kept], otherwise);
const granted = status(200, 'The token endpoint rejected the request. Read error_description.');

const getCode = step(
  'Get a code at /oidc/authorize.',
  'GET /oidc/authorize',
  [
    when(
      (exchange) => codeIn(exchange) !== '',
      'There is no code in Location. Add auto=ada to skip the login page.',
    ),
  ],
  {
    keep: (exchange, memo) => ({
      ...memo,
      code: markOf(codeIn(exchange)),
      state: markOf(exchange.query.get('state') ?? ''),
    }),
  },
);

const redeem = step(
  'Exchange the code at /oidc/token.',
  token,
  [
    form('grant_type', /^authorization_code$/, 'grant_type must be authorization_code.'),
    isSame('code', 'code', 'This is not the code that you got.'),
    granted,
  ],
  { keep: keepMembers('access_token', 'refresh_token') },
);

export const oidcTrack = [
  oidc(
    'oidc-discovery',
    1,
    texts(
      'Discover the issuer',
      'Read the metadata of the issuer /oidc, then its keys.',
      'The metadata is below .well-known. | /oidc/.well-known/openid-configuration | jwks_uri names the keys.',
      'A client needs only the issuer: everything else is in its metadata.',
      'OpenID Connect Discovery 1.0 section 4',
    ),
    [
      step(
        'Read the metadata.',
        'GET /oidc/.well-known/openid-configuration|/.well-known/oauth-authorization-server/oidc|/oidc/jwks',
        [
          when(
            ({ route }) => route !== '/oidc/jwks',
            'You read the keys without the metadata, which names their URL.',
          ),
        ],
      ),
      step('Read the keys at jwks_uri.', 'GET /oidc/jwks', [status(200)]),
    ],
  ),
  oidc(
    'oidc-code',
    1,
    texts(
      'A code for a token',
      'Get a code for demo-spa with PKCE, and exchange it.',
      'Send code_challenge and code_challenge_method=S256. | auto=ada logs in without a page. | Exchange the code with code_verifier.',
      'The code is useless without the verifier, which only the client knows.',
      'RFC 7636 section 4',
    ),
    [
      {
        ...getCode,
        checks: [
          query('code_challenge', /./, 'The request has no code_challenge.'),
          query('code_challenge_method', /^S256$/, 'code_challenge_method must be S256.'),
          ...getCode.checks,
        ],
      },
      {
        ...redeem,
        checks: [
          form('code_verifier', /./, 'The exchange has no code_verifier.'),
          ...redeem.checks,
        ],
      },
    ],
  ),
  oidc(
    'oidc-state',
    2,
    texts(
      'State and nonce',
      'Get a code with state and nonce.',
      'Both are random values of the client. | state protects the redirect, nonce the ID token. | &state=…&nonce=… with 8 or more characters',
      'state binds the response to the browser; nonce binds the ID token to the request.',
      'OpenID Connect Core 1.0 section 3.1.2.1',
    ),
    [
      step('Get a code with state and nonce.', 'GET /oidc/authorize', [
        query('state', /./, 'The request has no state.'),
        query('state', /.{8}/, 'The state is too short to be hard to guess.'),
        query('nonce', /.{8}/, 'The request has no nonce of 8 or more characters.'),
        query('scope', /openid/, 'The scope must have openid.'),
        ...getCode.checks,
      ]),
    ],
  ),
  oidc(
    'oidc-userinfo',
    1,
    texts(
      'Who is it?',
      'Get a token by a code, and read /oidc/userinfo with it.',
      'The scope must have openid. | Exchange the code at /oidc/token. | Authorization: Bearer at /oidc/userinfo',
      'UserInfo returns claims about the user of the access token.',
      'OpenID Connect Core 1.0 section 5.3',
    ),
    [
      getCode,
      redeem,
      step('Read /oidc/userinfo with the token.', 'GET|POST /oidc/userinfo', [
        ownBearer('access_token', 'This is not the access token that you got.'),
        status(200, 'The token has no scope openid.'),
      ]),
    ],
  ),
  oidc(
    'oidc-refresh',
    2,
    texts(
      'Stay logged in',
      'Get a refresh token, and exchange it.',
      'The scope must have offline_access. | Exchange the code. | grant_type=refresh_token',
      'offline_access requests a refresh token, which works without the user.',
      'OpenID Connect Core 1.0 section 12',
    ),
    [
      getCode,
      {
        ...redeem,
        checks: [
          ...redeem.checks,
          when(
            (exchange) => exchange.responseBody.includes('refresh_token'),
            'You got no refresh token: request the scope offline_access.',
          ),
        ],
      },
      step('Exchange the refresh token.', token, [
        form('grant_type', /^refresh_token$/, 'grant_type must be refresh_token.'),
        isSame('refresh_token', 'refresh_token', 'This is not the refresh token that you got.'),
        granted,
      ]),
    ],
  ),
  oidc(
    'oidc-code-once',
    3,
    texts(
      'Only once',
      'Exchange a code, and see that a second exchange is rejected.',
      'Send the same exchange twice. | The second response is invalid_grant. | Its tokens are revoked then.',
      'A code that is used twice may be stolen, so its tokens are revoked.',
      'RFC 6749 section 4.1.2',
    ),
    [
      getCode,
      redeem,
      step('Exchange the same code again.', token, [
        isSame('code', 'code', 'This is another code.'),
        status(400),
      ]),
    ],
  ),
  oidc(
    'oidc-service',
    1,
    texts(
      'Without a user',
      'Get a token for demo-service with client credentials.',
      'GET /api/auth lists the client. | grant_type=client_credentials | The client authenticates with Basic.',
      'Client credentials are for programs that act for themselves.',
      'RFC 6749 section 4.4',
    ),
    [
      step('Get a token with client credentials.', token, [
        form('grant_type', /^client_credentials$/, 'grant_type must be client_credentials.'),
        granted,
      ]),
    ],
  ),
  oidc(
    'oidc-device',
    3,
    texts(
      'A device without a browser',
      'Get a token for demo-device.',
      'POST /oidc/device_authorization | The user allows it at /oidc/device?user_code=…&auto=ada | Then exchange device_code.',
      'The device polls while the user allows it elsewhere.',
      'RFC 8628 section 3',
    ),
    [
      step(
        'Get codes for the device.',
        'POST /oidc/device_authorization',
        [status(200, 'The client must be demo-device.')],
        { keep: keepMembers('device_code') },
      ),
      step('Allow it at /oidc/device.', 'GET /oidc/device', [
        query('user_code', /./, 'The URL has no user_code.'),
        query('auto', /./, 'Add auto=ada to allow it without a page.'),
        status(200),
      ]),
      step('Exchange device_code.', token, [
        isSame('device_code', 'device_code', 'This is not the device_code that you got.'),
        granted,
      ]),
    ],
  ),
  oidc(
    'oidc-pushed',
    3,
    texts(
      'Pushed',
      'Push an authorization request of demo-web, and use its request_uri.',
      'POST /oidc/par with the parameters and the client. | The response has request_uri. | /oidc/authorize?client_id=demo-web&request_uri=…&auto=ada',
      'A pushed request cannot be read or changed by the browser.',
      'RFC 9126 section 2',
    ),
    [
      step(
        'Push the request to /oidc/par.',
        'POST /oidc/par',
        [status(201, 'The request was rejected. Read error_description.')],
        { keep: keepMembers('request_uri') },
      ),
      step('Get a code with request_uri.', 'GET /oidc/authorize', [
        when(
          (exchange, memo) => markOf(exchange.query.get('request_uri') ?? '') === memo.request_uri,
          'The URL does not have the request_uri that you got.',
        ),
        ...getCode.checks,
      ]),
    ],
  ),
  oidc(
    'oidc-register',
    2,
    texts(
      'Register a client',
      'Register a client, and read it with its own token.',
      'POST redirect_uris as JSON to /oidc/register. | The response has registration_access_token. | GET registration_client_uri with this token',
      'Dynamic registration needs no form and no administrator.',
      'RFC 7591 section 3',
    ),
    [
      step(
        'Register a client.',
        'POST /oidc/register',
        [status(201, 'The metadata is invalid. Read error_description.')],
        { keep: keepMembers('registration_access_token') },
      ),
      step('Read it with its token.', 'GET /oidc/register/:clientId', [
        ownBearer('registration_access_token', 'This is not its registration_access_token.'),
        status(200),
      ]),
    ],
  ),
  oidc(
    'oidc-rotation',
    2,
    texts(
      'New keys',
      'Read the keys, rotate them, and read them again.',
      '/oidc/jwks has the keys. | POST /oidc/keys/rotate | Read /oidc/jwks again.',
      'An unknown kid means: read the keys again, once.',
      'OpenID Connect Core 1.0 section 10.1.1',
    ),
    [
      step('Read the keys.', 'GET|POST /oidc/jwks|/oidc/keys/rotate', [
        when(({ method }) => method === 'GET', 'You rotated before you read the keys.'),
      ]),
      step('Rotate them.', 'POST /oidc/keys/rotate', [
        when(({ status: code }) => code < 300, 'The rotation failed.'),
      ]),
      step('Read the keys again.', 'GET /oidc/jwks', [status(200)]),
    ],
  ),
];
