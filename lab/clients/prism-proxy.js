/** Prism as a proxy that validates recorded calls and their responses against the description. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/**
 * Prism crashes on responses with trailers and on invalid headers, does not support Digest
 * challenges, rejects a response without a body if any media type is described, and takes an empty
 * form for an absent body.
 */
const beyondPrism =
  /^(?:postHttpRespond|putHttpResponsesByName|getHttpTrailers|getWs|getSse|get(?:Httpbin|Auth)Digest|postOidcUserinfo|postOidcLogout|get\w+StatusByCodes)/;

/** Requests for other formats than JSON, which the description omits. */
const otherFormat = /html|csv|xml|yaml|event-stream|ndjson|vnd\.api|"sdl"/;

/**
 * Returns what Prism rejects of the calls that the service accepted.
 *
 * @param {string} lab
 * @param {string} description
 * @param {string} serviceUrl
 */
export async function callThroughPrism(lab, description, serviceUrl) {
  const port = await freePort();
  const program = join(lab, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const args = [program, 'proxy', description, serviceUrl, '--errors', '-p', String(port)];
  const prism = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    let output = '';
    await new Promise((resolve) => {
      // Read to the end, because Prism logs each request.
      prism.stdout.on('data', (part) => {
        output = (output + part).slice(-1000);
        if (/listening/i.test(output)) resolve(undefined);
      });
      prism.once('exit', resolve);
    });
    const found = await repeatCalls(`http://127.0.0.1:${port}`, description);
    console.log(`Prism: ${found.count} calls, ${found.failures.length} rejected`);
    return found.failures;
  } finally {
    prism.kill();
  }
}

/**
 * @param {string} url
 * @param {string} file
 */
async function repeatCalls(url, file) {
  const recorded = new URL('../../data/recorded-calls.json', import.meta.url);
  const calls = JSON.parse(readFileSync(recorded, 'utf8'));
  const failures = [];
  let count = 0;
  const description = JSON.parse(readFileSync(file, 'utf8'));
  for (const { operationId, method, path, types } of operationsIn(description)) {
    if (beyondPrism.test(operationId) || method === 'TRACE') continue;
    for (const { name, request, response } of calls[operationId] ?? []) {
      if (response.status >= 300 || otherFormat.test(JSON.stringify(request))) continue;
      if (!isDescribed(types, request)) continue;
      count += 1;
      const text = await send(url + targetOf(path, request), method, request).catch(
        (error) => `stoplight.io/prism ended: ${error.cause ?? error}`,
      );
      if (/stoplight\.io\/prism/.test(text))
        failures.push(`Prism, ${operationId}, ${name}: ${text}`);
    }
  }
  return { count, failures };
}

/** @param {any} description */
function operationsIn({ paths, components }) {
  return Object.entries(paths).flatMap(([path, { parameters: _, ...methods }]) =>
    Object.entries(methods).map(([method, { operationId, requestBody = {} }]) => {
      const name = requestBody.$ref?.split('/').at(-1);
      const { content = {} } = components.requestBodies?.[name] ?? requestBody;
      const types = Object.keys(content);
      return { operationId, method: method.toUpperCase(), path, types };
    }),
  );
}

/**
 * Whether the description has the type of a request's body: it omits others where JSON is accepted.
 *
 * @param {readonly string[]} types
 * @param {any} request
 */
function isDescribed(types, { headers = {}, body }) {
  const [, sent = 'application/json'] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const type = String(sent).split(';', 1)[0];
  return body === undefined || types.some((each) => each === type || each === '*/*');
}

/**
 * @param {string} path
 * @param {any} request
 */
function targetOf(path, { path: values = {}, query = {} }) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) search.append(name, String(each));
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name]));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/**
 * @param {string} url
 * @param {string} method
 * @param {any} request
 */
async function send(url, method, { headers = {}, body }) {
  const isSent = body !== undefined && !['GET', 'HEAD'].includes(method);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method,
    headers: { ...(isSent && { 'Content-Type': 'application/json' }), ...headers },
    ...(isSent && { body: text }),
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  });
  return response.text();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
