/** Headers that frame messages, or steer proxies and browsers, by every route to a response. */

import { connectTo } from '../../../harness/raw-http.js';
import { attacksOf } from '../../attacker.js';

/** @typedef {import('../../attacker.js').Attacker} Attacker */

const framing = [
  ...['Content-Length', 'Transfer-Encoding', 'Connection', 'Keep-Alive', 'Proxy-Connection', 'TE'],
  ...['Upgrade', 'HTTP2-Settings'],
];
const steering = [
  ...['X-Accel-Redirect', 'x-accel-EXPIRES', 'X-Sendfile', 'X-Lighttpd-Send-File', 'X-Reproxy-URL'],
  ...['X-LiteSpeed-Location', 'X-Envoy-Degraded', 'X-Forwarded-For', 'Forwarded', 'Alt-Svc'],
  ...['Surrogate-Control', 'Edge-Control', 'Fastly-Restarts', 'CF-Ray', 'Cloudflare-A', 'xkey'],
  ...[
    'X-Akamai-A',
    'X-Varnish',
    'X-Cache-Tags',
    'Cache-Tag',
    'Server',
    'Set-Cookie2',
    'Fly-Replay',
  ],
  ...['Access-Control-Allow-Origin', 'Content-Security-Policy', 'X-Content-Security-Policy'],
  ...['Cross-Origin-Opener-Policy', 'Strict-Transport-Security', 'X-Content-Type-Options'],
  ...['Clear-Site-Data', 'Service-Worker-Allowed', 'SourceMap', 'Refresh', 'Reporting-Endpoints'],
  ...['NEL', 'Speculation-Rules', 'Accept-CH', 'Set-Login', 'Use-As-Dictionary', 'No-Vary-Search'],
  ...['Secure-Session-Registration', 'X-Request-Id', 'X-Fault', 'X-Simulated'],
];

const headers = { 'X-Sandbox': 'denied' };
const bins = '/api/webhooks/bins';

/**
 * Each sends a response with a header, and then requests it. Where the header is denied, the first response
 * is a 400, and the second request is not sent.
 *
 * @typedef {(attacker: Attacker, name: string) => Promise<any>} Route
 * @type {Readonly<Record<string, Route>>}
 */
const routes = {
  respond: (attacker, name) => post(attacker, '/api/http/respond', { headers: { [name]: ['1'] } }),
  interim: (attacker, name) =>
    raw(attacker, { informational: [{ status: 103, headers: [[name, '1']] }] }),
  stored: async (attacker, name) => {
    const path = '/api/http/responses/denied';
    const put = await post(attacker, path, { headers: { [name]: '1' } }, 'PUT');
    return put.status < 300 ? get(attacker, path) : put;
  },
  bin: async (attacker, name) => {
    const made = await post(attacker, bins, { response: { headers: [[name, '1']] } });
    return made.status < 300 ? get(attacker, `/api/webhooks/${JSON.parse(made.text).id}`) : made;
  },
  'changed bin': async (attacker, name) => {
    const { id } = JSON.parse((await post(attacker, bins, {})).text);
    const change = { response: { headers: { [name]: '1' } } };
    const changed = await post(attacker, `${bins}/${id}`, change, 'PATCH');
    return changed.status < 300 ? get(attacker, `/api/webhooks/${id}`) : changed;
  },
  fault: (attacker, name) => planned(attacker, { status: 503, headers: { [name]: '1' } }),
  'chanced fault': (attacker, name) =>
    planned(attacker, { probability: 1, fault: { status: 503, headers: [[name, '1']] } }),
  status: (attacker, name) => get(attacker, `/api/http/status/200?header=${name}:1`),
  httpbin: (attacker, name) => get(attacker, `/httpbin/response-headers?${name}=1`),
};

/** @type {Route} */
const inTrailers = (attacker, name) => raw(attacker, { trailers: { [name]: '1' }, body: 'x' });

/**
 * @param {Attacker} attacker
 * @param {string} path
 * @param {unknown} value
 * @param {string} [method]
 */
const post = (attacker, path, value, method = 'POST') =>
  attacker.send(method, path, value, { ...attacker.sameAccount, headers });

/**
 * Returns all bytes of a response to a script, with interim responses and trailers.
 *
 * @param {Attacker} attacker
 * @param {object} script
 */
async function raw(attacker, script) {
  const request = attacker.bytes('POST', '/api/http/respond', {
    ...attacker.sameAccount,
    headers: { ...headers, 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify(script),
  });
  const socket = connectTo(attacker.url);
  socket.write(request);
  let text = '';
  for await (const bytes of socket.setEncoding('latin1')) text += bytes;
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  return { status: statuses.at(-1), head: text, body: '', text };
}

/**
 * @param {Attacker} attacker
 * @param {string} path
 */
const get = (attacker, path) => attacker.ask('GET', path, { ...attacker.sameAccount, headers });

/**
 * @param {Attacker} attacker
 * @param {object} fault
 */
async function planned(attacker, fault) {
  const rules = [{ match: { path: '/api/Books/1' }, sequence: [fault] }];
  const put = await post(attacker, '/api/sandbox/faults', { rules }, 'PUT');
  return put.status < 300 ? get(attacker, '/api/Books/1') : put;
}

/**
 * Tries names by one route. An allowed header must be in the response, or the route leads nowhere.
 *
 * @param {Attacker} attacker
 * @param {string} route
 * @param {Route} send
 * @param {readonly string[]} names
 */
async function tryAll(attacker, route, send, names) {
  const complaints = [];
  const { head, body } = await send(attacker, 'X-Allowed');
  if (!/x-allowed: 1\r\n/i.test(`${head}\r\n${body}`)) {
    complaints.push(`The route ${route} sent no allowed header: ${head.slice(0, 200)}`);
  }
  for (const name of names) {
    const { status, text } = await send(attacker, name);
    const isRejected = status === 400 && text.includes(`${name} cannot be set: it `);
    if (!isRejected) complaints.push(`${route} got ${status} for ${name}: ${text.slice(0, 200)}`);
  }
  return complaints;
}

export const deniedHeaderAttacks = attacksOf(
  {
    'denied response headers by every route': async (attacker) => {
      const complaints = [];
      for (const [route, send] of Object.entries(routes)) {
        complaints.push(...(await tryAll(attacker, route, send, [...framing, ...steering])));
      }
      complaints.push(...(await tryAll(attacker, 'trailers', inTrailers, steering)));
      return complaints;
    },
  },
  { reaches: [200, 201, 204, 400] },
);
