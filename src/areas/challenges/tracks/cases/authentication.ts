/** Lawful ways and near misses of the track authentication. */

import type { Cases } from '../../challenge.js';

const demo = 'Authorization: Basic <<base64 demo:basic-secret>>';
const hidden = '/api/auth/basic-hidden/ada/secret';
const ada = 'Authorization: Basic <<base64 ada:secret>>';
const user = '{"username":"user","password":"user-secret"}';
const login = `POST /api/auth/jwt/login | ${user}`;
const me = (token: string, method = 'GET') =>
  `${method} /api/auth/jwt/me | Authorization: Bearer ${token}`;
const client = 'Authorization: Basic <<base64 demo-client:demo-client-secret>>';
const inForm = 'client_id=demo-client&client_secret=demo-client-secret';
const token = `POST /api/auth/oauth/token | ${client} | form grant_type=client_credentials&scope=read`;
const guarded = (bearer: string, method = 'GET') =>
  `${method} /api/auth/oauth/protected | Authorization: Bearer ${bearer}`;
const about = (path: string, given: string) =>
  `POST /api/auth/oauth/${path} | ${client} | form token=${given}`;
const digest = (index: number, password: string) =>
  `Authorization: <<digest ${index} demo ${password} /api/auth/digest>>`;
const signed = (body: string, secret = 'demo-hmac-secret', of = body) =>
  `POST /api/auth/hmac | X-Timestamp: <<now>> | X-Signature: <<hmac ${secret} <<now>>.${of}>> | text ${body}`;
const session = '/api/auth/session';
const logIn = `POST ${session}/login | {"username":"ada","password":"ada-secret"}`;
const csrf = 'POST /api/auth/csrf/submit';

const passwords: Readonly<Record<string, Cases>> = {
  'auth-basic': {
    accepts: [
      `GET /api/auth/basic | ${demo}`,
      `HEAD /api/auth/basic | ${demo.replace('Basic', 'BASIC')}`,
      `POST /api/auth/basic | ${demo} | {}`,
    ],
    rejects: [
      ['no credentials', 'GET /api/auth/basic'],
      ['password is wrong', 'GET /api/auth/basic | Authorization: Basic <<base64 demo:x>>'],
      ['another scheme', 'GET /api/auth/basic | Authorization: Bearer x'],
      ['another scheme', 'GET /api/auth/basic | Authorization: Basically <<base64 demo:x>>'],
    ],
  },
  'auth-challenge': {
    accepts: [
      `GET /api/auth/basic && GET /api/auth/basic | ${demo}`,
      `HEAD /api/auth/basic && GET /api/auth/basic | ${demo.replace('Basic', 'basic')}`,
      `POST /api/auth/basic | {} && POST /api/auth/basic | ${demo} | {}`,
    ],
    rejects: [
      ['before the challenge', `GET /api/auth/basic | ${demo}`],
      ['no credentials', 'GET /api/auth/basic && GET /api/auth/basic'],
      [
        'password is wrong',
        'GET /api/auth/basic && GET /api/auth/basic | Authorization: Basic <<base64 demo:x>>',
      ],
    ],
  },
  'auth-hidden': {
    accepts: [
      `GET ${hidden} | ${ada}`,
      `HEAD ${hidden} | ${ada.replace('Basic', 'basic')}`,
      `GET ${hidden} && GET ${hidden} | ${ada}`,
    ],
    rejects: [
      ['no Basic credentials', `GET ${hidden}`],
      ['not those in the path', `GET ${hidden} | ${demo}`],
      ['another path', `GET /api/auth/basic-hidden/grace/secret | ${ada}`],
    ],
  },
  'auth-digest': {
    accepts: [
      `GET /api/auth/digest && GET /api/auth/digest | ${digest(1, 'digest-secret')}`,
      `GET /api/auth/digest && GET /api/auth/digest | ${digest(1, 'x')} && GET /api/auth/digest | ${digest(2, 'digest-secret')}`,
      `HEAD /api/auth/digest && GET /api/auth/digest | ${digest(1, 'digest-secret')}`,
    ],
    rejects: [
      ['no credentials', 'GET /api/auth/digest'],
      ['another scheme', `GET /api/auth/digest && GET /api/auth/digest | ${demo}`],
      ['does not fit', `GET /api/auth/digest && GET /api/auth/digest | ${digest(1, 'x')}`],
    ],
  },
};

const keys: Readonly<Record<string, Cases>> = {
  'auth-api-key': {
    accepts: [
      'GET /api/auth/api-key/header | X-API-Key: demo-api-key',
      'HEAD /api/auth/api-key/header | x-api-key: demo-api-key',
      'GET /api/auth/api-key/header && GET /api/auth/api-key/header?a=b | X-API-Key: demo-api-key',
    ],
    rejects: [
      ['in the URL', 'GET /api/auth/api-key/query?api_key=demo-api-key'],
      ['key is wrong', 'GET /api/auth/api-key/header | X-API-Key: x'],
      ['no key in a header', 'GET /api/auth/api-key/header'],
      ['in the URL', 'GET /api/auth/api-key/header?api_key=demo-api-key | X-API-Key: demo-api-key'],
    ],
  },
  'auth-key-cookie': {
    accepts: [
      'GET /api/auth/api-key/cookie | Cookie: api_key=demo-api-key',
      'HEAD /api/auth/api-key/cookie | Cookie: a=b; api_key=demo-api-key',
      'GET /api/auth/api-key/cookie | cookie: api_key=demo-api-key; theme=dark',
    ],
    rejects: [
      ['no cookie', 'GET /api/auth/api-key/cookie'],
      ['no cookie', 'GET /api/auth/api-key/cookie | Cookie: xapi_key=demo-api-key'],
      ['key is wrong', 'GET /api/auth/api-key/cookie | Cookie: api_key=x'],
      ['no cookie', 'GET /api/auth/api-key/cookie | X-API-Key: demo-api-key'],
    ],
  },
  'auth-roles': {
    accepts: [
      'GET /api/auth/roles/admin | Authorization: Bearer demo-user-token && GET /api/auth/roles/admin | Authorization: Bearer demo-admin-token',
      'HEAD /api/auth/roles/admin | Authorization: bearer demo-user-token && GET /api/auth/roles/admin | Authorization: bearer demo-admin-token',
      'GET /api/auth/roles/admin && GET /api/auth/roles/admin | Authorization: Bearer demo-user-token && GET /api/auth/roles/admin | Authorization: Bearer demo-admin-token',
    ],
    rejects: [
      ['has the role admin', 'GET /api/auth/roles/admin | Authorization: Bearer demo-admin-token'],
      ['that is 401', 'GET /api/auth/roles/admin'],
      [
        'not have the role admin either',
        'GET /api/auth/roles/admin | Authorization: Bearer demo-user-token && GET /api/auth/roles/admin | Authorization: Bearer demo-user-token',
      ],
    ],
  },
  'auth-hmac': {
    accepts: [signed('{}'), signed('Ada Lovelace'), signed('a=1&b=2')],
    rejects: [
      ['no X-Timestamp', 'POST /api/auth/hmac | text {}'],
      ['does not fit', signed('{}', 'x')],
      ['does not fit', signed('{}', 'demo-hmac-secret', '[]')],
      ['no X-Signature', 'POST /api/auth/hmac | X-Timestamp: <<now>> | text {}'],
      [
        'whole seconds',
        'POST /api/auth/hmac | X-Timestamp: <<now>>000 | X-Signature: 00 | text {}',
      ],
    ],
  },
};

const tokens: Readonly<Record<string, Cases>> = {
  'auth-jwt': {
    accepts: [
      `${login} && ${me('{1.json.accessToken}')}`,
      `${login} && ${me('{1.json.accessToken}', 'HEAD').replace('Bearer', 'bearer')}`,
      `${login} && ${login} && ${me('{2.json.accessToken}')}`,
    ],
    rejects: [
      ['no bearer', `${login} && GET /api/auth/jwt/me`],
      ['not the access token', `${login} && ${login} && ${me('{1.json.accessToken}')}`],
      ['password is wrong', 'POST /api/auth/jwt/login | {"username":"user","password":"x"}'],
      ['not the access token', `${login} && ${me('{1.json.refreshToken}')}`],
    ],
  },
  'auth-expired': {
    accepts: [
      `GET /api/auth/jwt/expired && ${me('{1.json.accessToken}')} && ${login} && ${me('{3.json.accessToken}')}`,
      `GET /api/auth/jwt/expired && ${me('{1.json.accessToken}', 'HEAD')} && ${login} && ${me('{3.json.accessToken}')}`,
      `GET /api/auth/jwt/expired && ${me('x')} && ${me('{1.json.accessToken}')} && ${login} && ${me('{4.json.accessToken}', 'HEAD')}`,
    ],
    rejects: [
      ['not the token of /api/auth/jwt/expired', `GET /api/auth/jwt/expired && ${me('x')}`],
      [
        'not the token of your login',
        `GET /api/auth/jwt/expired && ${me('{1.json.accessToken}')} && ${login} && ${me('{1.json.accessToken}')}`,
      ],
      [
        '2 of 4 parts',
        `GET /api/auth/jwt/expired && ${me('{1.json.accessToken}')} && ${me('{1.json.accessToken}')}`,
      ],
    ],
  },
  'auth-refresh': {
    accepts: [
      `${login} && POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"} && ${me('{2.json.accessToken}')}`,
      `${login} && ${me('{1.json.accessToken}')} && POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"} && ${me('{3.json.accessToken}', 'HEAD')}`,
      `${login} && POST /api/auth/jwt/refresh | {"refreshToken":"x"} && POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"} && ${me('{3.json.accessToken}')}`,
    ],
    rejects: [
      [
        'not the new access token',
        `${login} && POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"} && ${me('{1.json.accessToken}')}`,
      ],
      [
        'not the refresh token',
        `${login} && POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.accessToken}"}`,
      ],
      [
        'not the refresh token',
        `${login} && ${login} && POST /api/auth/jwt/refresh | {"refreshToken":"{1.json.refreshToken}"}`,
      ],
    ],
  },
  'auth-client-credentials': {
    accepts: [
      `${token} && ${guarded('{1.json.access_token}')}`,
      `POST /api/auth/oauth/token | form scope=read&grant_type=client_credentials&${inForm} && ${guarded('{1.json.access_token}', 'HEAD')}`,
      `POST /api/auth/oauth/token | {} && ${token} && ${guarded('{2.json.access_token}')}`,
    ],
    rejects: [
      ['no form', 'POST /api/auth/oauth/token | {"grant_type":"client_credentials"}'],
      [
        'only it',
        `POST /api/auth/oauth/token | ${client} | form grant_type=client_credentials&scope=read+write`,
      ],
      ['only it', `POST /api/auth/oauth/token | ${client} | form grant_type=client_credentials`],
      ['not the token', `${token} && ${guarded('x')}`],
    ],
  },
  'auth-revoke': {
    accepts: [
      `${token} && ${about('revoke', '{1.json.access_token}')} && ${guarded('{1.json.access_token}')}`,
      `${token} && POST /api/auth/oauth/revoke | form ${inForm}&token={1.json.access_token} && ${guarded('{1.json.access_token}', 'HEAD')}`,
      `${token} && ${guarded('{1.json.access_token}')} && ${about('revoke', '{1.json.access_token}')}&token_type_hint=access_token && ${guarded('{1.json.access_token}')}`,
    ],
    rejects: [
      ['not the token that you got', `${token} && ${about('revoke', 'x')}`],
      [
        'not the token that you revoked',
        `${token} && ${about('revoke', '{1.json.access_token}')} && ${guarded('x')}`,
      ],
      [
        'not authenticated',
        `${token} && POST /api/auth/oauth/revoke | form token={1.json.access_token}`,
      ],
    ],
  },
  'auth-introspect': {
    accepts: [
      `${token} && ${about('introspect', '{1.json.access_token}')}`,
      `${token} && POST /api/auth/oauth/introspect | form ${inForm}&token={1.json.access_token}`,
      `${token} && ${token} && ${about('introspect', '{2.json.access_token}')}`,
    ],
    rejects: [
      ['not the token', `${token} && ${about('introspect', 'x')}`],
      [
        'not active',
        `${token} && ${about('revoke', '{1.json.access_token}')} && ${about('introspect', '{1.json.access_token}')}`,
      ],
      [
        'not authenticated',
        `${token} && POST /api/auth/oauth/introspect | form token={1.json.access_token}`,
      ],
    ],
  },
};

const cookies: Readonly<Record<string, Cases>> = {
  'auth-csrf': {
    accepts: [
      `GET /api/auth/csrf/token && ${csrf} | Cookie: {1.cookie} | X-CSRF-Token: {1.json.csrfToken}`,
      `GET /api/auth/csrf/token && ${csrf} | Cookie: a=b; {1.cookie} | X-XSRF-TOKEN: {1.json.csrfToken}`,
      `GET /api/auth/csrf/token && ${csrf} && ${csrf} | Cookie: {1.cookie} | x-csrf-token: {1.json.csrfToken}`,
    ],
    rejects: [
      ['without the header', `GET /api/auth/csrf/token && ${csrf} | Cookie: {1.cookie}`],
      [
        'without the cookie',
        `GET /api/auth/csrf/token && ${csrf} | X-CSRF-Token: {1.json.csrfToken}`,
      ],
      ['differ', `GET /api/auth/csrf/token && ${csrf} | Cookie: {1.cookie} | X-CSRF-Token: x`],
      [
        'not the token that you got',
        `GET /api/auth/csrf/token && GET /api/auth/csrf/token && ${csrf} | Cookie: {1.cookie} | X-CSRF-Token: {1.json.csrfToken}`,
      ],
    ],
  },
  'auth-session': {
    accepts: [
      `${logIn} && GET ${session}/me | Cookie: {1.cookie} && POST ${session}/logout | Cookie: {1.cookie}`,
      `POST ${session}/login | {"username":"grace","password":"grace-secret"} && HEAD ${session}/me | Cookie: {1.cookie} && POST ${session}/logout | Cookie: a=b; {1.cookie}`,
      `GET ${session}/csrf && POST ${session}/login | Cookie: {1.cookie} | form username=ada&password=ada-secret&csrf={1.json.csrfToken} && GET ${session}/me | Cookie: {2.cookie} && POST ${session}/logout | Cookie: {2.cookie}`,
    ],
    rejects: [
      ['no cookie', `${logIn} && GET ${session}/me`],
      ['no valid CSRF token', `POST ${session}/login | form username=ada&password=ada-secret`],
      ['password is wrong', `POST ${session}/login | {"username":"ada","password":"x"}`],
      ['another session', `${logIn} && ${logIn} && GET ${session}/me | Cookie: {1.cookie}`],
      ['2 of 3 parts', `${logIn} && GET ${session}/me | Cookie: {1.cookie}`],
    ],
  },
};

export const authenticationCases = { ...passwords, ...keys, ...tokens, ...cookies };
