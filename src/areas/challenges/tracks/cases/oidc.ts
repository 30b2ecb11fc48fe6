/** Lawful ways and near misses of the track oidc. */

import type { Cases } from '../../challenge.js';

const redirectUri = 'redirect_uri=http%3A%2F%2Flocalhost%3A4711%2Fcallback';
/** The pair of RFC 7636 appendix B. */
const verifier = 'code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge =
  'code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';

const wanted = (more = '', scope = 'openid', client = 'demo-spa') =>
  `client_id=${client}&${redirectUri}&response_type=code&scope=${scope}&${challenge}&auto=ada${more}`;
const authorize = (...given: Parameters<typeof wanted>) =>
  `GET /oidc/authorize?${wanted(...given)}`;
const redeem = (code: string, more = `&${verifier}`, client = 'demo-spa') =>
  `POST /oidc/token | form grant_type=authorization_code&client_id=${client}&${redirectUri}&code=${code}${more}`;
const flow = (scope = 'openid') => `${authorize('', scope)} && ${redeem('{1.query.code}')}`;
const refresh = (token: string) =>
  `POST /oidc/token | form grant_type=refresh_token&client_id=demo-spa&refresh_token=${token}`;
const service = 'Authorization: Basic <<base64 demo-service:demo-service-secret-of-32-letters>>';
const web = 'Authorization: Basic <<base64 demo-web:demo-web-secret-of-32-characters>>';
const push = `POST /oidc/par | ${web} | form ${wanted('', 'openid', 'demo-web').replace('&auto=ada', '')}`;
const pushed = 'client_id=demo-web&request_uri={1.json.request_uri}&auto=ada';
const device = 'POST /oidc/device_authorization | form client_id=demo-device';
const allow = 'GET /oidc/device?user_code={1.json.user_code}&auto=ada';
const poll = (code: string) =>
  `POST /oidc/token | form grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&client_id=demo-device&device_code=${code}`;
const register = 'POST /oidc/register | {"redirect_uris":["https://app.example/callback"]}';
const metadata = '/oidc/.well-known/openid-configuration';

const reading: Readonly<Record<string, Cases>> = {
  'oidc-discovery': {
    accepts: [
      `GET ${metadata} && GET /oidc/jwks`,
      'GET /.well-known/oauth-authorization-server/oidc && GET /oidc/jwks',
      `GET /oidc/jwks && GET ${metadata} && GET /oidc/jwks`,
    ],
    rejects: [
      ['without the metadata', 'GET /oidc/jwks'],
      ['1 of 2 parts', `GET ${metadata}`],
      ['1 of 2 parts', `GET ${metadata} && GET /oidc`],
    ],
  },
  'oidc-rotation': {
    accepts: [
      'GET /oidc/jwks && POST /oidc/keys/rotate && GET /oidc/jwks',
      'GET /oidc/jwks && GET /oidc/jwks && POST /oidc/keys/rotate && GET /oidc/jwks',
      'POST /oidc/keys/rotate && GET /oidc/jwks && POST /oidc/keys/rotate && GET /oidc/jwks',
    ],
    rejects: [
      ['before you had read', 'POST /oidc/keys/rotate'],
      ['1 of 3 parts', 'GET /oidc/jwks && GET /oidc/jwks'],
      ['2 of 3 parts', 'GET /oidc/jwks && POST /oidc/keys/rotate'],
    ],
  },
  'oidc-register': {
    accepts: [
      `${register} && GET /oidc/register/{1.json.client_id} | Authorization: Bearer {1.json.registration_access_token}`,
      `${register} && GET /oidc/register/{1.json.client_id} | Authorization: bearer {1.json.registration_access_token}`,
      `${register} && ${register} && GET /oidc/register/{2.json.client_id} | Authorization: Bearer {2.json.registration_access_token}`,
    ],
    rejects: [
      ['did not send the token', `${register} && GET /oidc/register/{1.json.client_id}`],
      [
        'another client',
        `${register} && ${register} && GET /oidc/register/{1.json.client_id} | Authorization: Bearer {1.json.registration_access_token}`,
      ],
      ['metadata is invalid', 'POST /oidc/register | {"redirect_uris":[]}'],
    ],
  },
};

const codes: Readonly<Record<string, Cases>> = {
  'oidc-code': {
    accepts: [
      flow(),
      `POST /oidc/authorize | form ${wanted()} && ${redeem('{1.query.code}')}`,
      `${authorize('&response_mode=fragment')} && ${redeem('{1.query.code}')}`,
    ],
    rejects: [
      ['no code_verifier', `${authorize()} && ${redeem('{1.query.code}', '')}`],
      ['no code', authorize().replace('S256', 'plain')],
      ['not demo-spa', authorize('', 'profile', 'demo-native')],
      ['granted nothing', `${authorize()} && ${redeem('{1.query.code}', `&${verifier}a`)}`],
      ['not the code', `${authorize()} && ${redeem('x')}`],
    ],
  },
  'oidc-state': {
    accepts: [
      authorize('&state=a-long-state&nonce=a-long-nonce'),
      authorize('&nonce=12345678&state=12345678', 'profile+openid'),
      `POST /oidc/authorize | form ${wanted('&state=a-long-state&nonce=a-long-nonce')}`,
    ],
    rejects: [
      ['nonce is absent', authorize('&state=a-long-state')],
      ['state is absent', authorize('&state=short&nonce=a-long-nonce')],
      ['does not have openid', authorize('&state=a-long-state&nonce=a-long-nonce', 'profile')],
      ['no code', authorize('&state=a-long-state&nonce=a-long-nonce').replace('ada', 'deny')],
    ],
  },
  'oidc-userinfo': {
    accepts: [
      `${flow()} && GET /oidc/userinfo | Authorization: Bearer {2.json.access_token}`,
      `${flow()} && POST /oidc/userinfo | form access_token={2.json.access_token}`,
      `${flow()} && POST /oidc/userinfo | Authorization: bearer {2.json.access_token}`,
    ],
    rejects: [
      ['did not send the access token', `${flow()} && GET /oidc/userinfo`],
      [
        'did not send the access token',
        `${flow()} && GET /oidc/userinfo?access_token={2.json.access_token}`,
      ],
      [
        'scope openid',
        `${flow('profile')} && GET /oidc/userinfo | Authorization: Bearer {2.json.access_token}`,
      ],
    ],
  },
  'oidc-refresh': {
    accepts: [
      `${flow('openid+offline_access')} && ${refresh('{2.json.refresh_token}')}`,
      `${flow('offline_access+openid')} && ${refresh('x')} && ${refresh('{2.json.refresh_token}')}`,
      `${flow('openid+offline_access')} && ${refresh('{2.json.refresh_token}')}&scope=openid`,
    ],
    rejects: [
      ['no refresh token', flow()],
      ['not the refresh token', `${flow('openid+offline_access')} && ${refresh('x')}`],
      [
        'not for a refresh token',
        `${flow('openid+offline_access')} && ${redeem('{1.query.code}')}`,
      ],
    ],
  },
  'oidc-code-once': {
    accepts: [
      `${flow()} && ${redeem('{1.query.code}')}`,
      `${flow('profile')} && GET /oidc/jwks && ${redeem('{1.query.code}')}`,
      `${flow()} && ${redeem('x')} && ${redeem('{1.query.code}')}`,
    ],
    rejects: [
      ['not the code', `${flow()} && ${redeem('x')}`],
      ['not for a code', `${flow()} && ${refresh('x')}&code={1.query.code}`],
      ['another reason', `${flow()} && ${redeem('{1.query.code}', `&${verifier}`, 'demo-web')}`],
      ['granted nothing', `${authorize()} && ${redeem('{1.query.code}', `&${verifier}a`)}`],
    ],
  },
  'oidc-pushed': {
    accepts: [
      `${push} && GET /oidc/authorize?${pushed}`,
      `${push} && POST /oidc/authorize | form ${pushed}`,
      `POST /oidc/par | form ${wanted('&client_secret=demo-web-secret-of-32-characters', 'openid', 'demo-web')} && GET /oidc/authorize?${pushed}`,
    ],
    rejects: [
      ['not the request', `${push} && ${authorize('', 'openid', 'demo-web')}`],
      ['not demo-web', `POST /oidc/par | form ${wanted()}`],
      ['not accept', `POST /oidc/par | ${web} | form client_id=demo-web`],
      ['no code', `${push} && GET /oidc/authorize?${pushed.replace('ada', 'deny')}`],
    ],
  },
};

const others: Readonly<Record<string, Cases>> = {
  'oidc-service': {
    accepts: [
      `POST /oidc/token | ${service} | form grant_type=client_credentials`,
      'POST /oidc/token | form client_id=demo-service&client_secret=demo-service-secret-of-32-letters&grant_type=client_credentials',
      `POST /oidc/token | ${service.replace('Basic', 'basic')} | form grant_type=client_credentials`,
    ],
    rejects: [
      [
        'granted nothing',
        'POST /oidc/token | Authorization: Basic <<base64 demo-service:x>> | form grant_type=client_credentials',
      ],
      ['not for a client', `POST /oidc/token | ${service} | form grant_type=password`],
      ['not demo-service', `POST /oidc/token | ${web} | form grant_type=client_credentials`],
    ],
  },
  'oidc-device': {
    accepts: [
      `${device} && ${allow} && ${poll('{1.json.device_code}')}`,
      `${device} && ${poll('{1.json.device_code}')} && ${allow} && wait 6000 && ${poll('{1.json.device_code}')}`,
      `${device}&scope=openid && ${allow} && ${poll('{1.json.device_code}')}`,
    ],
    rejects: [
      ['granted nothing', `${device} && ${poll('{1.json.device_code}')}`],
      [
        'granted nothing',
        `${device} && ${allow.replace('ada', 'deny')} && ${poll('{1.json.device_code}')}`,
      ],
      ['not the device_code', `${device} && ${allow} && ${poll('x')}`],
      ['not demo-device', `${device.replace('demo-device', 'demo-spa')}`],
    ],
  },
};

export const oidcCases = { ...reading, ...codes, ...others };
