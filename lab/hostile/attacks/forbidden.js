/**
 * Requests that are no load, but must be rejected, or whose responses must not contain certain
 * texts.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../attacker.js';

/**
 * Sends requests one after the other, and returns complaints about other statuses.
 *
 * @param {number} expected
 * @param {readonly (readonly [what: string, send: () => Promise<{status: number}>])[]} requests
 */
async function othersThan(expected, requests) {
  const complaints = [];
  for (const [what, send] of requests) {
    const { status } = await send();
    if (status !== expected) complaints.push(`${what} has the status ${status}, not ${expected}`);
  }
  return complaints;
}

/** Headers that control proxies and gateways, or apply to a whole origin. */
const steering = [
  ...['X-Accel-Redirect', 'X-Accel-Buffering', 'X-Sendfile', 'X-Lighttpd-Send-File', 'Alt-Svc'],
  ...['X-Reproxy-URL', 'X-Forwarded-Host', 'X-Frame-Options', 'Content-Length', 'Connection'],
  ...['Transfer-Encoding', 'Strict-Transport-Security', 'Clear-Site-Data'],
];

const controlCharacters = ['\u0000', '\u0001', '\u001b', '\u007f', '\u0085'];

const badTargets = ['metrics', '*metrics', '*', 'ftp://a/', 'a:80', '?a=1', '\\metrics', 'http:/a'];

const badRedirects = [
  'https://a;script-src/cb',
  'https://a,b/cb',
  'https://*.example/cb',
  'http://client.docker:5050/cb',
  'http://localhost:99999/cb',
  'https://[::1/cb',
];

const secret = 'hush-4f1d0a';
const secretJson = JSON.stringify({ username: secret, password: secret, key: secret });

const json = { 'Content-Type': 'application/json' };
const health = { method: 'GET', path: '/health' };

/** @param {string} path @param {Record<string, string>} headers */
const get = (path, headers) => ({ method: 'GET', path, headers });

/** @param {string} path @param {string} body */
const post = (path, body) => ({ method: 'POST', path, headers: json, body });

const secretRequests = [
  get(`/api/methods/get?token=${secret}&api_key=${secret}&x=${secret}`, {}),
  get(`/api/auth/bearer?access_token=${secret}`, { Authorization: `Bearer ${secret}` }),
  get('/api/auth/api-key/header', { 'X-API-Key': secret, Cookie: `s=${secret}` }),
  get('/api/Books', { 'X-Service-Key': secret, 'X-Hub-Signature-256': secret }),
  get('/api/Books', { 'X-Anything': secret, Referer: `http://a/?token=${secret}` }),
  get(`/api/webhooks/samples/stripe?secret=${secret}`, { 'X-Signing-Secret': secret }),
  post('/api/auth/jwt/login', secretJson),
  post('/api/methods/post', `{"a": ${secret}`),
  post('/graphql', `{"query":"{ ${secret} }"}`),
];

/** Paths whose responses are for one caller only. */
const ownResponses = [
  '/api/methods/get',
  '/api/RateLimit',
  '/api/RateLimit/status',
  '/api/sandbox',
  '/api/auth/basic',
  '/api/auth/bearer',
  '/api/auth/jwt/me',
  '/api/auth/csrf/token',
  '/api/auth/nowhere',
];
const sandboxData = ['/api/Books', '/api/Books/1', '/api/Events', '/api/Events?limit=2'];

export const forbiddenAttacks = attacksOf(
  {
    'bin responses that control a proxy': (attacker) =>
      othersThan(
        400,
        steering.map((name) => {
          const bin = { response: { headers: { [name]: '/internal/secret' } } };
          return [name, () => attacker.send('POST', '/api/webhooks/bins', bin)];
        }),
      ),
    'control characters in stored texts': {
      reaches: [200, 400],
      run: async (attacker) => {
        const query =
          'mutation ($t: String!) { addTodo(title: $t, userId: 1, priority: "low") { id } }';
        const event = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' };
        const complaints = [];
        for (const character of controlCharacters) {
          const text = `a${character}b`;
          const code = `U+${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
          /** @type {[string, string, unknown][]} */
          const requests = [
            ['PATCH', '/api/Books/1', { title: text }],
            ['POST', '/api/Events', { ...event, name: text }],
            ['POST', '/api/webhooks/bins', { name: text }],
          ];
          const sent = requests.map((request) => {
            const what = `${request[0]} ${request[1]} with ${code}`;
            return /** @type {const} */ ([what, () => attacker.send(...request)]);
          });
          complaints.push(...(await othersThan(400, sent)));
          const document = { query, variables: { t: text } };
          const response = await attacker.send('POST', '/graphql', document);
          if (!JSON.parse(response.text).errors)
            complaints.push(`GraphQL accepted ${code} in a title`);
        }
        return complaints;
      },
    },
    'redirect URIs that extend a policy, or that are invalid': (attacker) =>
      othersThan(
        400,
        badRedirects.flatMap((uri) => {
          const redirect = { response_type: 'code', client_id: 'demo-web', redirect_uri: uri };
          const path = `/oidc/authorize?${new URLSearchParams(redirect)}`;
          const client = { redirect_uris: [uri] };
          return /** @type {const} */ ([
            [`registration of ${uri}`, () => attacker.send('POST', '/oidc/register', client)],
            [`authorization for ${uri}`, () => attacker.ask('GET', path)],
          ]);
        }),
      ),
    'invalid targets': (attacker) =>
      othersThan(
        400,
        badTargets.map((target) => [`GET ${target}`, () => attacker.ask('GET', target)]),
      ),
    'responses that shared caches would mix up': {
      reaches: [200, 201, 401, /nowhere/],
      run: async (attacker) => {
        const complaints = [];
        const id = await attacker.newBin();
        for (const path of [...ownResponses, `/api/webhooks/bins/${id}`, `/api/webhooks/${id}`]) {
          const { headers } = await attacker.ask('GET', path);
          const control = headers.get('cache-control') ?? '';
          if (!/no-store/.test(control)) complaints.push(`${path} may be stored: “${control}”`);
        }
        for (const path of sandboxData) {
          const { headers } = await attacker.ask('GET', path);
          const [control = '', vary = ''] = [headers.get('cache-control'), headers.get('vary')];
          if (!/private/.test(control) || !/no-cache|no-store/.test(control)) {
            complaints.push(`${path} may be shared: “${control}”`);
          }
          for (const name of ['X-Sandbox', 'X-Service-Key']) {
            if (!vary.toLowerCase().includes(name.toLowerCase())) {
              complaints.push(`${path} does not vary by ${name}`);
            }
          }
        }
        return complaints;
      },
    },
    'a stranger lists the bins of other strangers': {
      isFor: ({ hasAccounts }) => !hasAccounts,
      reaches: [201, 403],
      async run(attacker) {
        await attacker.newBin();
        const list = () => attacker.ask('GET', '/api/webhooks/bins');
        return othersThan(403, [['GET /api/webhooks/bins without a sandbox', list]]);
      },
    },
    'secrets in a log at debug': {
      flags: ['--log-level', 'debug'],
      reaches: [200, 400, 401],
      async run(attacker) {
        await attacker.repeat(4, (turn) => {
          const { method, path, ...parts } = secretRequests[turn % secretRequests.length] ?? health;
          return attacker.ask(method, path, parts);
        });
        await sleep(200);
      },
      judgeOutput(output) {
        const line = output.split('\n').find((each) => each.includes(secret));
        return line === undefined ? [] : [`a secret is in the log: ${line.slice(0, 300)}`];
      },
    },
    'sign-ups by many /64s of one /48': {
      isFor: ({ isProxied, hasAccounts }) => hasAccounts && !isProxied,
      reaches: 201,
      // The attacker is a trusted proxy, because the shipped proxy does not forward client addresses.
      flags: ['--trust-proxy', '127.0.0.1'],
      async run(attacker) {
        let made = 0;
        for (let network = 0; network < 200; network++) {
          const headers = { 'X-Forwarded-For': `2001:db8:7:${network.toString(16)}::1` };
          const { status } = await attacker.ask('POST', '/api/accounts', { headers });
          if (status === 201) made++;
        }
        return made <= 50 ? [] : [`200 networks of one site created ${made} accounts`];
      },
    },
  },
  { reaches: 400 },
);
