/** Every read operation, requested over HTTP/1.1, TLS and HTTP/2: the responses are the same. */

import { readFileSync } from 'node:fs';
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type RecordedCalls,
  recordedCallsFile,
} from '../../src/describe/openapi/recorded-calls.js';
import { createService, type Service } from '../../src/index.js';
import { targetOf } from '../openapi/caller.js';
import { Contract } from '../openapi/contract.js';

const host = 'base-url.invalid';
const key = 'a key that is the same for all who ask for something';

let service: Service;
let session: ClientHttp2Session;
const plain = new PlainAgent({ keepAlive: true, maxSockets: 4 });
const tls = new TlsAgent({ keepAlive: true, maxSockets: 4, rejectUnauthorized: false });
beforeAll(async () => {
  service = await createService({
    tls: true,
    now: () => Date.parse('2026-05-04T12:00:00Z'),
    jwtKey: key,
    nonceKey: key,
    httpbinKey: key,
    cursorKey: key,
  });
  session = connect(service.tlsUrl ?? '', { rejectUnauthorized: false });
});
afterAll(async () => {
  session.destroy();
  plain.destroy();
  tls.destroy();
  await service.close();
});

interface Given {
  readonly status: number;
  /** By name; values of a repeated one are a list. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

type Send = (target: string, headers: Readonly<Record<string, string>>) => Promise<Given>;

const sendHttp1 =
  (request: typeof plainRequest, url: () => string, agent: PlainAgent): Send =>
  (target, headers) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url());
      const options = { hostname, port, path: target, agent, headers: { host, ...headers } };
      request(options, async (response) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      })
        .on('error', reject)
        .end();
    });

const sendHttp2: Send = (target, headers) =>
  new Promise((resolve, reject) => {
    const stream = session.request({ ':path': target, ':authority': host, ...headers });
    const chunks: Uint8Array[] = [];
    let head: Pick<Given, 'status' | 'headers'> = { status: 0, headers: {} };
    stream
      .on('response', ({ ':status': status = 0, ...headers }) => {
        head = { status, headers };
      })
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => resolve({ ...head, body: Buffer.concat(chunks).toString('latin1') }))
      .on('error', reject);
  });

const ways: Readonly<Record<string, Send>> = {
  plain: sendHttp1(plainRequest, () => service.url, plain),
  again: sendHttp1(plainRequest, () => service.url, plain),
  tls: sendHttp1(tlsRequest as typeof plainRequest, () => service.tlsUrl ?? '', tls as PlainAgent),
  http2: sendHttp2,
};

/** The member in echoes, with a comma on one side or the other. */
const shown = '"connection": ?"[^"]*"|\\{"name":"connection","value":"[^"]*"\\}';
const connectionHeader = new RegExp(`(?:${shown}),\\s*|,\\s*(?:${shown})`, 'gi');

/** They frame a message, or belong to one connection or one request. */
const ownHeaders = new Set([
  'content-length',

  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);

/** Necessary differences: the protocol, its headers, and the name of the sandbox. */
function comparable({ status, headers, body }: Given, way: string): Given {
  const same = (text: string) =>
    text
      .replaceAll(`same-${way}`, 'same')
      .replaceAll(`https://${host}`, `http://${host}`)
      .replaceAll("port: 443, protocol: 'https'", "port: 80, protocol: 'http'")
      .replaceAll(/"httpVersion":"[\d.]+"/g, '"httpVersion":"…"')
      .replaceAll(connectionHeader, '');
  // The tag of a body that shows the base URL is another one.
  const isTagged = (name: string) => name === 'etag' && body.includes(host);
  const plainValue = (name: string, value: string) =>
    isTagged(name) ? 'any' : name === 'set-cookie' ? value.replaceAll('; Secure', '') : value;
  const shownHeaders = Object.entries(headers)
    .filter(([name]) => !ownHeaders.has(name))
    .map(([name, value]) => [name, plainValue(name, same(String(value)))] as const);
  return { status, headers: Object.fromEntries(shownHeaders), body: same(body) };
}

/** Returns what differs between two responses, except for what also differs between two equal requests. */
function differences(first: Given, again: Given, other: Given): readonly string[] {
  const names = new Set([...Object.keys(first.headers), ...Object.keys(other.headers)]);
  const unlike = [...names].filter(
    (name) =>
      first.headers[name] === again.headers[name] && first.headers[name] !== other.headers[name],
  );
  return [
    ...(first.status === other.status ? [] : [`status ${first.status} | ${other.status}`]),
    ...unlike.map((name) => `${name}: ${first.headers[name]} | ${other.headers[name]}`),
    ...(first.body !== again.body || first.body === other.body
      ? []
      : [`${first.body.slice(0, 300)} | ${other.body.slice(0, 300)}`]),
  ];
}

const leftOut = new Set([
  // They describe the connection, or the received bytes.
  'getHttpConnection',
  'getHttpDump',
  // Signatures cover the scheme as well, and the response shows it.
  'getAuthSignature',
  // Files that are slow to generate, and are sent like others.
  'getOpenapiYaml',
  'getDownloadsPracticeApiPostmanCollectionJson',
  'getDownloadsPracticeApiHttp',
]);

/** Streams may be endless, or wait for an event; HTTP/2 clients do not request sockets. */
const isStream = (path: string) => /^\/api\/(?:sse|ws)\b|\/(?:events|changes)$/.test(path);

const maxCallsEach = 3;
/** This test chooses the name of the sandbox. */
const isOfSandbox = (name: string) => name === 'A malformed sandbox name';

test('every recorded read call gets the same response', async () => {
  const recorded = JSON.parse(
    readFileSync(new URL(`../../${recordedCallsFile}`, import.meta.url), 'utf8'),
  ) as RecordedCalls;
  const description = await fetch(`${service.url}/openapi.json`).then((each) => each.json());
  const { addresses } = new Contract(description as never);
  const unlike: string[] = [];
  let [compared, varying] = [0, 0];
  for (const [operationId, calls] of Object.entries(recorded)) {
    const address = addresses.get(operationId);
    if (address?.method !== 'GET' || leftOut.has(operationId) || isStream(address.path)) continue;
    for (const { name, request } of calls.slice(0, maxCallsEach)) {
      if (isOfSandbox(name)) continue;
      const target = targetOf(address.path, request);
      const responses = await Promise.all(
        Object.entries(ways).map(async ([way, send]) => {
          const named = { ...request.headers, 'x-sandbox': `same-${way}` };
          const headers = Object.fromEntries(
            Object.entries(named).map(([each, value]) => [each.toLowerCase(), String(value)]),
          );
          return comparable(await send(target, headers), way);
        }),
      );
      const [first, again, ...others] = responses as [Given, Given, ...Given[]];
      compared++;
      if (first.body !== again.body) varying++;
      for (const [index, other] of others.entries()) {
        const found = differences(first, again, other);
        if (found.length > 0)
          unlike.push(
            `${operationId}, ${name}, ${Object.keys(ways)[index + 2]}: ${found.join('; ')}`,
          );
      }
    }
  }
  expect(unlike).toEqual([]);
  expect(compared).toBeGreaterThan(200);
  // Random values and times.
  expect(varying).toBeLessThan(compared / 4);
});
