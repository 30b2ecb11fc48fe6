/** Challenges about OpenID Connect. */

import { isFault } from '#http/credentials/fault.js';
import { parseBasic } from '#http/credentials/parse-basic.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import {
  bearerOf,
  form,
  formSent,
  is,
  isThere,
  jsonReceived,
  keep,
  keepMembers,
  markOf,
  membersOf,
  ownBearer,
  ownField,
  received,
  record,
  sent,
  status,
  success,
  textOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { oidcCases } from './cases/oidc.js';

const oidc = inTrack('oidc', oidcCases);
const token = 'POST /oidc/token';
/** The request itself, and the forms of its pages. */
const authorizing = 'GET|POST /oidc/authorize|/oidc/login|/oidc/consent';

/** Returns the code in the query or fragment of Location, or in the form that the page posts. */
function codeIn(exchange: Exchange): string {
  const [, ...parts] = received(exchange, 'location').split(/[?#]/);
  const [, posted = ''] = /name="code" value="([^"]{1,200})"/.exec(exchange.responseBody) ?? [];
  return new URLSearchParams(parts.join('&')).get('code') ?? posted;
}

/** Returns a parameter of an authorization request, which the forms of its pages carry. */
function asked(exchange: Exchange, name: string): string {
  const { route, query } = exchange;
  if (route !== '/oidc/authorize') {
    return new URLSearchParams(formSent(exchange, 'request')).get(name) ?? '';
  }
  return query.get(name) ?? formSent(exchange, name);
}

/** Returns which client a request to the token endpoint and others like it is from. */
function clientOf(exchange: Exchange): string {
  const basic = parseBasic(sent(exchange, 'authorization'));
  if (!isFault(basic)) return basic.username;
  return formSent(exchange, 'client_id') || subjectOf(formSent(exchange, 'client_assertion'));
}

function subjectOf(assertion: string): string {
  try {
    const [, payload = ''] = assertion.split('.', 2);
    return textOf(membersOf(JSON.parse(Buffer.from(payload, 'base64url').toString())).sub);
  } catch {
    return '';
  }
}

const client = (id: string) =>
  when((exchange) => clientOf(exchange) === id, `The client of this request is not ${id}.`);

const granted = status(200, 'The token endpoint granted nothing.');
const gotCode = when((exchange) => codeIn(exchange) !== '', 'The response has no code.');

const getCode = step(authorizing, [gotCode], {
  keep: keep({ code: (exchange) => markOf(codeIn(exchange)) }),
});

const ownCode = ownField('code', 'code', 'This is not the code that you got.');

const redeem = step(
  token,
  [form('grant_type', is('authorization_code'), 'The grant is not for a code.'), ownCode, granted],
  { keep: keepMembers('access_token', 'refresh_token') },
);

const reading = [
  oidc(
    'oidc-discovery',
    1,
    texts(
      'Discover the issuer',
      'Read the metadata of the issuer /oidc, then its keys.',
      'What must a client know before it can use an issuer? | OpenID Connect Discovery 1.0 section 4: its URL; the metadata is below .well-known, and names all other URLs. | GET /oidc/.well-known/openid-configuration, then its jwks_uri',
      'A client needs only the issuer: everything else is in its metadata.',
      cite('OpenID Connect Discovery 1.0', '4'),
    ),
    [
      step(
        'GET /oidc/.well-known/openid-configuration|/.well-known/oauth-authorization-server/oidc|/oidc/jwks',
        [
          when(
            ({ route }) => route !== '/oidc/jwks',
            'You read the keys without the metadata, which names their URL.',
          ),
          status(200),
        ],
      ),
      step('GET /oidc/jwks', [status(200)]),
    ],
  ),
  oidc(
    'oidc-rotation',
    2,
    texts(
      'New keys',
      'Read the keys /oidc/jwks, rotate them, and read them again.',
      'What does a client do when it meets an unknown kid? | OpenID Connect Core 1.0 section 10.1.1: it reads the keys again. Here, POST /oidc/keys/rotate makes new ones. | GET /oidc/jwks, POST /oidc/keys/rotate, GET /oidc/jwks',
      'An unknown kid means: read the keys again, once.',
      cite('OpenID Connect Core 1.0', '10.1.1'),
    ),
    [
      step('GET|POST /oidc/jwks|/oidc/keys/rotate', [
        when(({ route }) => route === '/oidc/jwks', 'You rotated before you had read the keys.'),
        status(200),
      ]),
      step('POST /oidc/keys/rotate', [success('The rotation failed.')]),
      step('GET /oidc/jwks', [status(200)]),
    ],
  ),
  oidc(
    'oidc-register',
    2,
    texts(
      'Register a client',
      'Register a client at /oidc/register, and read its registration with its own token.',
      'Can a program become a client without a form and an administrator? | RFC 7591 section 3: POST redirect_uris as JSON. The response has registration_access_token and registration_client_uri. | POST /oidc/register, then GET registration_client_uri with the token as bearer',
      'Dynamic registration needs no form and no administrator.',
      cite('RFC 7591', '3'),
    ),
    [
      step(
        'POST /oidc/register',
        [status(201, 'No client was registered: the metadata is invalid.')],
        {
          keep: keep({
            id: (exchange) => textOf(jsonReceived(exchange).client_id),
            own: (exchange) => markOf(textOf(jsonReceived(exchange).registration_access_token)),
          }),
        },
      ),
      step('GET /oidc/register/:clientId', [
        record('$id', 'This is another client.', 'clientId'),
        ownBearer('own', 'You did not send the token of this registration.'),
        status(200),
      ]),
    ],
  ),
];

const codes = [
  oidc(
    'oidc-code',
    1,
    texts(
      'A code for a token',
      'Get a code for demo-spa with PKCE, and exchange it for a token.',
      'What makes a stolen code worthless? | RFC 7636 section 4: the request has code_challenge and code_challenge_method=S256, the exchange has code_verifier. auto=ada logs in without a page. | GET /oidc/authorize?client_id=demo-spa&…&auto=ada, then POST code and code_verifier to /oidc/token',
      'The code is useless without the verifier, which only the client knows.',
      cite('RFC 7636', '4'),
    ),
    [
      step(
        authorizing,
        [
          when(
            (exchange) => asked(exchange, 'client_id') === 'demo-spa',
            'The client of this request is not demo-spa.',
          ),
          gotCode,
        ],
        { ...(getCode.keep && { keep: getCode.keep }) },
      ),
      {
        ...redeem,
        checks: [
          form('code_verifier', isThere, 'The exchange has no code_verifier.'),
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
      'Get a code from /oidc/authorize with the scope openid, and a state and a nonce of 8 or more characters each.',
      'How does a client know that a response belongs to its own request? | OpenID Connect Core 1.0 section 3.1.2.1: state protects the redirect, nonce the ID token. | GET /oidc/authorize with state={random}, nonce={random} and scope=openid',
      'state binds the response to the browser; nonce binds the ID token to the request.',
      cite('OpenID Connect Core 1.0', '3.1.2.1'),
    ),
    [
      step(authorizing, [
        when(
          (exchange) => asked(exchange, 'state').length >= 8,
          'The state is absent, or too short to be hard to guess.',
        ),
        when(
          (exchange) => asked(exchange, 'nonce').length >= 8,
          'The nonce is absent, or too short to be hard to guess.',
        ),
        when(
          (exchange) => asked(exchange, 'scope').split(' ').includes('openid'),
          'The scope does not have openid.',
        ),
        gotCode,
      ]),
    ],
  ),
  oidc(
    'oidc-userinfo',
    1,
    texts(
      'Who is it?',
      'Get a token by a code, and read /oidc/userinfo with it.',
      'What can an application ask about the user? | OpenID Connect Core 1.0 section 5.3: UserInfo, with an access token whose scope has openid. | GET /oidc/userinfo with Authorization: Bearer {access_token}',
      'UserInfo returns claims about the user of the access token.',
      cite('OpenID Connect Core 1.0', '5.3'),
    ),
    [
      getCode,
      redeem,
      step('GET|HEAD|POST /oidc/userinfo', [
        when(
          (exchange, { access_token }) =>
            [bearerOf(exchange), formSent(exchange, 'access_token')].some(
              (each) => markOf(each) === access_token,
            ),
          'You did not send the access token that you got.',
        ),
        status(200, 'The token does not have the scope openid.'),
      ]),
    ],
  ),
  oidc(
    'oidc-refresh',
    2,
    texts(
      'Stay logged in',
      'Get a refresh token by a code, and exchange it.',
      'How can an application work while the user is away? | OpenID Connect Core 1.0 section 12: a refresh token; the scope offline_access requests one. | POST grant_type=refresh_token and refresh_token to /oidc/token',
      'offline_access requests a refresh token, which works without the user.',
      cite('OpenID Connect Core 1.0', '12'),
    ),
    [
      getCode,
      {
        ...redeem,
        checks: [
          ...redeem.checks,
          when(
            (exchange) => textOf(jsonReceived(exchange).refresh_token) !== '',
            'You got no refresh token: the scope did not request one.',
          ),
        ],
      },
      step(token, [
        form('grant_type', is('refresh_token'), 'The grant is not for a refresh token.'),
        ownField('refresh_token', 'refresh_token', 'This is not the refresh token that you got.'),
        granted,
      ]),
    ],
  ),
  oidc(
    'oidc-code-once',
    3,
    texts(
      'Only once',
      'Exchange a code, and see by invalid_grant that a second exchange of it is rejected.',
      'What if another client has the same code? | RFC 6749 section 4.1.2: a code works once; a second use is invalid_grant, and revokes its tokens. | POST the same exchange to /oidc/token twice',
      'A code that is used twice may be stolen, so its tokens are revoked.',
      cite('RFC 6749', '4.1.2'),
    ),
    [
      getCode,
      redeem,
      step(token, [
        form('grant_type', is('authorization_code'), 'The grant is not for a code.'),
        ownCode,
        when(
          (exchange) => jsonReceived(exchange).error === 'invalid_grant',
          'The exchange was rejected for another reason.',
        ),
      ]),
    ],
  ),
  oidc(
    'oidc-pushed',
    3,
    texts(
      'Pushed',
      'Push an authorization request of demo-web, and get a code by its request_uri.',
      'Who can read and change a request that goes through the browser? | RFC 9126 section 2: the client sends the parameters to the issuer directly, and the browser only carries request_uri. | POST to /oidc/par, then GET /oidc/authorize?client_id=demo-web&request_uri=…&auto=ada',
      'A pushed request cannot be read or changed by the browser.',
      cite('RFC 9126', '2'),
    ),
    [
      step(
        'POST /oidc/par',
        [client('demo-web'), status(201, 'The issuer did not accept the request.')],
        { keep: keepMembers('request_uri') },
      ),
      step(authorizing, [
        when(
          (exchange, memo) => markOf(asked(exchange, 'request_uri')) === memo.request_uri,
          'This is not the request that you pushed.',
        ),
        gotCode,
      ]),
    ],
  ),
];

const others = [
  oidc(
    'oidc-service',
    1,
    texts(
      'Without a user',
      'Get a token of /oidc/token for demo-service with client credentials.',
      'Who acts if there is no user? | RFC 6749 section 4.4: the client itself, with grant_type=client_credentials. GET /api/auth lists the client. | POST grant_type=client_credentials to /oidc/token with Basic',
      'Client credentials are for programs that act for themselves.',
      cite('RFC 6749', '4.4'),
    ),
    [
      step(token, [
        form('grant_type', is('client_credentials'), 'The grant is not for a client.'),
        client('demo-service'),
        granted,
      ]),
    ],
  ),
  oidc(
    'oidc-device',
    3,
    texts(
      'A device without a browser',
      'Get a token for demo-device by a device code that the user has allowed.',
      'How does a user log in on a device without a keyboard? | RFC 8628 section 3: the device gets device_code and user_code, and polls while the user allows it elsewhere. | POST /oidc/device_authorization, open /oidc/device?user_code=…&auto=ada, then POST device_code to /oidc/token',
      'The device polls while the user allows it elsewhere.',
      cite('RFC 8628', '3'),
    ),
    [
      step(
        'POST /oidc/device_authorization',
        [client('demo-device'), status(200, 'You got no codes.')],
        { keep: keepMembers('device_code') },
      ),
      step(token, [
        ownField('device_code', 'device_code', 'This is not the device_code that you got.'),
        granted,
      ]),
    ],
  ),
];

export const oidcTrack = [...reading, ...codes, ...others];
