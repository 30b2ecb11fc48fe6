/** grpc-js, and the clients of Connect in each of their protocols: without TLS, over TLS, and below haproxy. */

import { fromBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import {
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import {
  createConnectTransport as overFetch,
  createGrpcWebTransport as webOverFetch,
} from '@connectrpc/connect-web';
import grpc from '@grpc/grpc-js';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RetryInfoSchema } from '../../src/areas/grpc/generated/google/rpc/error_details_pb.js';
import { StatusSchema } from '../../src/areas/grpc/generated/google/rpc/status_pb.js';
import { GRPCBin } from '../../src/areas/grpc/generated/grpcbin_pb.js';
import { Echo } from '../../src/areas/grpc/generated/practice/v1/echo_pb.js';
import { Status } from '../../src/areas/grpc/generated/practice/v1/status_pb.js';
import { testsWith } from '../support/foreign-program.js';
import { type Loaded, loadServices } from '../support/grpc-node-clients.js';
import { startHaproxy } from '../support/grpc-proxy.js';
import { useService } from '../support/service.js';

const service = useService({ tls: true });
const haproxy = testsWith('haproxy');

/** A way to the service. */
interface Place {
  readonly url: string;
  /** Present over TLS. */
  readonly ca?: string;
  readonly stop?: () => Promise<void>;
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  'without TLS': async () => ({ url: service.url }),
  'over TLS': async () => {
    const { text } = await service.send('GET /tls/ca.pem');
    return { url: `https://localhost:${new URL(String(service.tlsUrl)).port}`, ca: text };
  },
  'below haproxy': async () => {
    const { target, stop } = await startHaproxy([new URL(service.url).host]);
    return { url: `http://${target}`, stop };
  },
};
const testsAt = (name: string) =>
  name === 'below haproxy' ? haproxy : { isInstalled: true, test };

/** Opens a place for the tests of a block. */
function usePlace(name: string): () => Place {
  let place: Place | undefined;
  beforeAll(async () => {
    place = testsAt(name).isInstalled ? await places[name]?.() : undefined;
  });
  afterAll(() => place?.stop?.());
  return () => place as Place;
}

async function* textsOf(...texts: readonly string[]) {
  for (const text of texts) yield { text };
}

/** The `fetch` of undici trusts an authority, and selects HTTP/2 by ALPN, as browsers do. */
const fetchWith = (ca: string) => {
  const dispatcher = new Agent({ connect: { ca }, allowH2: true });
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as never;
};

type Open = (at: { readonly baseUrl: string; readonly nodeOptions: object }) => Transport;

const gzip = { sendCompression: compressionGzip, compressMinBytes: 0 };

const transports: Readonly<Record<string, Open>> = {
  'gRPC, connect-node': (at) => createGrpcTransport(at),
  'gRPC with gzip, connect-node': (at) => createGrpcTransport({ ...at, ...gzip }),
  'gRPC-Web over HTTP/1.1, connect-node': (at) =>
    createGrpcWebTransport({ ...at, httpVersion: '1.1' }),
  'gRPC-Web over HTTP/2, connect-node': (at) => createGrpcWebTransport({ ...at, httpVersion: '2' }),
  'Connect over HTTP/1.1, connect-node': (at) =>
    createConnectTransport({ ...at, httpVersion: '1.1' }),
  'Connect in JSON over HTTP/2, connect-node': (at) =>
    createConnectTransport({ ...at, httpVersion: '2', useBinaryFormat: false }),
  'Connect in binary with gzip, connect-node': (at) =>
    createConnectTransport({ ...at, httpVersion: '2', useBinaryFormat: true, ...gzip }),
  'Connect, connect-web': ({ baseUrl, nodeOptions }) =>
    overFetch({ baseUrl, useHttpGet: true, ...nodeOptions }),
  'gRPC-Web, connect-web': ({ baseUrl, nodeOptions }) => webOverFetch({ baseUrl, ...nodeOptions }),
};

/** Returns a transport of that name to a place. */
function openTransport(name: string, { url: baseUrl, ca }: Place): Transport {
  const open = transports[name] as Open;
  if (!name.includes('connect-web')) return open({ baseUrl, nodeOptions: ca ? { ca } : {} });
  return open({ baseUrl, nodeOptions: ca ? { fetch: fetchWith(ca) } : {} });
}

const cases = Object.keys(places).flatMap((place) =>
  Object.keys(transports).map((name) => ({ place, name })),
);

describe.each(cases)('$place: $name', ({ place, name }) => {
  const { test } = testsAt(place);
  const isHalf = name.includes('connect-web') || name.includes('1.1');
  const at = usePlace(place);
  const transport = () => openTransport(name, at());

  test('unary calls with metadata, details, deadlines and cancellation', async () => {
    const echo = createClient(Echo, transport());
    let head: Headers | undefined;
    let trailers: Headers | undefined;
    const text = 'é'.repeat(50);
    const response = await echo.unary(
      {
        text,
        headers: [{ name: 'X-First', values: ['1'] }],
        trailers: [{ name: 'x-last', values: ['2'] }],
      },
      {
        headers: { 'x-text': 'a' },
        timeoutMs: 20_000,
        onHeader: (received) => (head = received),
        onTrailer: (received) => (trailers = received),
      },
    );
    expect(response.text).toBe(text);
    expect(response.compression).toBe(name.includes('gzip') ? 'gzip' : 'identity');
    expect(response.metadata.find((each) => each.name === 'x-text')?.values).toEqual(['a']);
    expect(Number(response.deadline?.seconds)).toBeGreaterThan(10);
    expect(head?.get('x-first')).toBe('1');
    expect(trailers?.get('x-last')).toBe('2');

    const status = createClient(Status, transport());
    const failed = await status
      .get({ code: 8, message: 'zu viel: 100 %', retryInfo: { retryDelay: { seconds: 3n } } })
      .catch((error: unknown) => ConnectError.from(error));
    expect(failed).toMatchObject({ code: Code.ResourceExhausted, rawMessage: 'zu viel: 100 %' });
    const [retry] = (failed as ConnectError).findDetails(RetryInfoSchema);
    expect(retry?.retryDelay?.seconds).toBe(3n);

    const slow = { delay: { seconds: 20n } };
    const late = await echo.unary(slow, { timeoutMs: 100 }).catch(ConnectError.from);
    expect((late as ConnectError).code).toBe(Code.DeadlineExceeded);
    const leaving = new AbortController();
    const left = echo.unary(slow, { signal: leaving.signal }).catch(ConnectError.from);
    leaving.abort();
    expect(((await left) as ConnectError).code).toBe(Code.Canceled);
  });

  test('streams, and their failures after messages', async () => {
    const echo = createClient(Echo, transport());
    const received: string[] = [];
    for await (const { text } of echo.serverStream({ text: 'a', count: 3 })) received.push(text);
    expect(received).toEqual(['a', 'a', 'a']);
    const status = createClient(Status, transport());
    let count = 0;
    const failed = await (async () => {
      for await (const _each of status.stream({ code: 10, messages: 2 })) count++;
    })().catch(ConnectError.from);
    expect([count, (failed as ConnectError).code]).toEqual([2, Code.Aborted]);
    if (name.includes('connect-web')) return;
    expect((await echo.clientStream(textsOf('a', 'b'))).text).toBe('ab');
    if (isHalf) return;
    const both: string[] = [];
    for await (const { text } of echo.bidiStream(textsOf('a', 'b'))) both.push(text);
    expect(both).toEqual(['a', 'b']);
  });

  test('an unknown method is unimplemented', async () => {
    const method = { ...GRPCBin.method.empty, name: 'Emty' } as typeof GRPCBin.method.empty;
    const failed = await transport()
      .unary(method, undefined, undefined, undefined, {})
      .catch(ConnectError.from);
    expect((failed as ConnectError).code).toBe(Code.Unimplemented);
  });
});

describe.each(Object.keys(places))('grpc-js %s', (place) => {
  const { test } = testsAt(place);
  const at = usePlace(place);
  let pkg: Loaded;
  const clients: Loaded[] = [];
  const clientOf = (Service: new (...given: unknown[]) => unknown, options: object = {}) => {
    const { url, ca } = at();
    const credentials = ca
      ? grpc.credentials.createSsl(Buffer.from(ca))
      : grpc.credentials.createInsecure();
    const client = new Service(new URL(url).host, credentials, options);
    clients.push(client);
    return client as Loaded;
  };
  beforeAll(() => {
    pkg = loadServices(
      ...['echo', 'records', 'status'].map((name) => `practice/v1/${name}.proto`),
      'grpc/health/v1/health.proto',
      'grpc/reflection/v1/reflection.proto',
    );
  });
  afterAll(() => {
    for (const client of clients) client.close();
  });

  test('all kinds of calls', async () => {
    const echo = clientOf(pkg.practice.v1.Echo);
    const metadata = new grpc.Metadata();
    metadata.set('x-raw-bin', Buffer.from([0, 255]));
    const response = await new Promise<{ metadata: { name: string; values: string[] }[] }>(
      (resolve, reject) =>
        echo.Unary({ text: 'a' }, metadata, (error: unknown, value: never) =>
          error ? reject(error) : resolve(value),
        ),
    );
    expect(response.metadata).toContainEqual({ name: 'x-raw-bin', values: ['AP8='] });
    const received: string[] = [];
    const both = echo.BidiStream();
    const ended = new Promise((resolve) => both.on('status', resolve));
    both.on('data', ({ text }: { text: string }) => {
      received.push(text);
      if (received.length === 2) both.end();
    });
    both.write({ text: 'a' });
    both.write({ text: 'b' });
    expect(await ended).toMatchObject({ code: 0 });
    expect(received).toEqual(['a', 'b']);
    const sending = new Promise((resolve) => {
      const stream = echo.ClientStream((_error: unknown, value: unknown) => resolve(value));
      stream.write({ text: 'a' });
      stream.write({ text: 'b' });
      stream.end();
    });
    expect(await sending).toMatchObject({ text: 'ab' });
  });

  test('details of a status', async () => {
    const status = clientOf(pkg.practice.v1.Status);
    const request = {
      code: 8,
      message: 'zu viel: 100 %',
      retry_info: { retry_delay: { seconds: 3 } },
    };
    const error = await new Promise<grpc.ServiceError>((resolve) =>
      status.Get(request, (failed: grpc.ServiceError) => resolve(failed)),
    );
    expect(error).toMatchObject({ code: 8, details: 'zu viel: 100 %' });
    const [bytes] = error.metadata.get('grpc-status-details-bin');
    const [detail] = fromBinary(StatusSchema, bytes as Buffer).details;
    const retry = detail && anyUnpack(detail, RetryInfoSchema);
    expect(retry?.retryDelay?.seconds).toBe(3n);
  });

  test.each([
    ['gzip', grpc.compressionAlgorithms.gzip],
    ['identity', grpc.compressionAlgorithms.identity],
  ])('messages with the encoding %s', async (name, algorithm) => {
    const echo = clientOf(pkg.practice.v1.Echo, {
      'grpc.default_compression_algorithm': algorithm,
      'grpc.use_local_subchannel_pool': 1,
    });
    const text = 'é'.repeat(200);
    const response = await new Promise((resolve, reject) =>
      echo.Unary({ text }, (error: unknown, value: unknown) =>
        error ? reject(error) : resolve(value),
      ),
    );
    expect(response).toMatchObject({ text, compression: name });
  });

  test('health, reflection, and a later change of health that does not come', async () => {
    const health = clientOf(pkg.grpc.health.v1.Health);
    const check = (name: string) =>
      new Promise((resolve) =>
        health.Check({ service: name }, (error: grpc.ServiceError | null, value: object) =>
          resolve(error?.code ?? value),
        ),
      );
    expect(await check('')).toMatchObject({ status: 'SERVING' });
    expect(await check('practice.v1.Books')).toMatchObject({ status: 'SERVING' });
    expect(await check('no.Service')).toBe(grpc.status.NOT_FOUND);
    const watch = health.Watch({ service: 'no.Service' });
    const seen = await new Promise((resolve) => watch.once('data', resolve));
    expect(seen).toMatchObject({ status: 'SERVICE_UNKNOWN' });
    const ended = new Promise((resolve) => watch.once('error', resolve));
    watch.cancel();
    expect(await ended).toMatchObject({ code: grpc.status.CANCELLED });

    const reflection = clientOf(pkg.grpc.reflection.v1.ServerReflection).ServerReflectionInfo();
    const ask = (request: object) => {
      const response = new Promise((resolve) => reflection.once('data', resolve));
      reflection.write(request);
      return response as Promise<Record<string, never>>;
    };
    const listed = await ask({ list_services: '' });
    const { service: services } = listed.list_services_response as unknown as {
      readonly service: readonly { readonly name: string }[];
    };
    expect(services.map(({ name }) => name)).toContain('practice.v1.Books');
    const file = await ask({ file_containing_symbol: 'practice.v1.Books.Watch' });
    expect(file).toHaveProperty('file_descriptor_response');
    expect(await ask({ file_by_filename: 'none.proto' })).toMatchObject({
      error_response: { error_code: grpc.status.NOT_FOUND },
    });
    reflection.end();
  });

  test('deadlines, cancellation and etags', async () => {
    const echo = clientOf(pkg.practice.v1.Echo);
    const codeOf = (begin: (done: (error: { code: number }) => void) => void) =>
      new Promise<number>((resolve) => begin((error) => resolve(error.code)));
    const slow = { delay: { seconds: 20 } };
    const deadline = Date.now() + 100;
    expect(await codeOf((done) => echo.Unary(slow, { deadline }, done))).toBe(4);
    expect(await codeOf((done) => echo.Unary(slow, done).cancel())).toBe(1);
    const books = clientOf(pkg.practice.v1.Books);
    const change = { book: { id: 1, price: 1, etag: '"old"' } };
    expect(await codeOf((done) => books.Update(change, done))).toBe(10);
    const mask = { book: { id: 1 }, update_mask: { paths: ['isbm'] } };
    expect(await codeOf((done) => books.Update(mask, done))).toBe(3);
  });
});
