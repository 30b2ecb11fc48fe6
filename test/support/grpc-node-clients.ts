/** Clients for Node that meet misbehaviours of gRPC, each on a new connection. */

import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Code, ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { Add } from '../../src/areas/grpc/generated/addsvc_pb.js';

/** A code with the message of the status, or `OK` with the sum, by the name of the misbehaviour. */
export type Outcomes = Readonly<Record<string, readonly [code: string, text: string]>>;

const options = {
  includeDirs: [fileURLToPath(new URL('../../data/proto', import.meta.url))],
  ...{ keepCase: true, longs: String, enums: String, defaults: true },
};

/** A client, a service or a message, whose type is made from the files at run time. */
// biome-ignore lint/suspicious/noExplicitAny: grpc-js has no types for them
export type Loaded = any;

/** Returns the services of the files, as grpc-js calls them. */
export const loadServices = (...files: readonly string[]): Loaded =>
  grpc.loadPackageDefinition(loader.loadSync([...files], options));

const metAfterMs = 30_000;

const serviceConfig = {
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        ...{ maxAttempts: 3, initialBackoff: '0.05s', maxBackoff: '1s', backoffMultiplier: 2 },
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
};

export async function meetWithGrpcJs(target: string, names: readonly string[]): Promise<Outcomes> {
  const { addsvc } = loadServices('addsvc.proto');
  const meet = async (name: string) => {
    // A channel of the same target would share its connection.
    const client = new addsvc.Add(target, grpc.credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    const metadata = new grpc.Metadata();
    metadata.set('x-misbehave', name);
    await new Promise((resolve) => client.waitForReady(Number.POSITIVE_INFINITY, resolve));
    const deadline = Date.now() + metAfterMs;
    const outcome = await new Promise<[string, string]>((resolve) => {
      client.Sum(
        { a: 3, b: 4 },
        metadata,
        { deadline },
        (error: { code: number; details: string } | null, reply: { v: unknown }) =>
          resolve(
            error
              ? [grpc.status[error.code] ?? `${error.code ?? 'no code'}`, error.details]
              : ['OK', `${reply.v}`],
          ),
      );
    });
    client.close();
    return [name, outcome] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(meet)));
}

/** The names of the codes in capitals. */
const capitals = (name: string) => name.replace(/(?<!^)[A-Z]/g, '_$&').toUpperCase();

export async function meetWithConnect(
  baseUrl: string,
  names: readonly string[],
): Promise<Outcomes> {
  const meet = async (name: string) => {
    const sessionManager = new Http2SessionManager(baseUrl);
    const add = createClient(Add, createGrpcTransport({ baseUrl, sessionManager }));
    const headers = { 'x-misbehave': name };
    await sessionManager.connect();
    const outcome = await add.sum({ a: 3n, b: 4n }, { headers, timeoutMs: metAfterMs }).then(
      ({ v }) => ['OK', String(v)] as const,
      (error) => {
        const { code, rawMessage } = ConnectError.from(error);
        const known = code === Code.Canceled ? 'CANCELLED' : capitals(Code[code] ?? `${code}`);
        return [known, rawMessage] as const;
      },
    );
    sessionManager.abort();
    return [name, outcome] as const;
  };
  return Object.fromEntries(await Promise.all(names.map(meet)));
}

interface Replied {
  readonly value: Loaded;
  readonly code: string;
  readonly trailers: grpc.Metadata;
}

/** Is a right client with retries; see `clients/grpc/client.py`. Returns how calls ended. */
export async function behaveWithGrpcJs(
  target: string,
  { sandbox = '', ...cases }: Readonly<Record<string, string>>,
  retried: readonly string[],
): Promise<readonly string[]> {
  const { addsvc, practice } = loadServices(
    'addsvc.proto',
    'practice/v1/echo.proto',
    'practice/v1/records.proto',
  );
  const open = (Service: typeof grpc.Client) =>
    new Service(target, grpc.credentials.createInsecure(), {
      'grpc.service_config': JSON.stringify(serviceConfig),
    });
  const [add, echo, books] = [addsvc.Add, practice.v1.Echo, practice.v1.Books].map(open);
  const call = (
    client: Loaded,
    method: string,
    request: object,
    more: Readonly<Record<string, string>> = {},
    deadline = Date.now() + 60_000,
  ) => {
    const metadata = new grpc.Metadata({ waitForReady: true });
    for (const [name, value] of Object.entries({ 'x-sandbox': sandbox, ...more })) {
      metadata.set(name, value);
    }
    let cancel = () => {};
    const replied = new Promise<Replied>((resolve) => {
      let value: unknown;
      const begun = client[method](
        request,
        metadata,
        { deadline },
        (_error: unknown, reply: unknown) => {
          value = reply;
        },
      );
      cancel = () => begun.cancel();
      begun.on('status', ({ code, metadata: trailers }: grpc.StatusObject) =>
        resolve({ value, code: grpc.status[code] ?? '', trailers }),
      );
    });
    return { replied, cancel: () => cancel() };
  };
  let token = '';
  do {
    const request = { page_size: 5, page_token: token };
    token = (await call(books, 'List', request).replied).value.next_page_token;
  } while (token !== '');
  const { etag } = (await call(books, 'Get', { id: 1 }).replied).value;
  await call(books, 'Update', { book: { id: 1, price: 2.5, etag } }).replied;
  // Calls of the same message in parallel.
  const ended = await Promise.all(
    retried.map(async (name) => {
      const { code } = await call(add, 'Sum', { a: 3, b: 4 }, { 'x-misbehave': name }).replied;
      return code;
    }),
  );
  const meet = (name: string, more: Readonly<Record<string, string>> = {}, deadline?: number) =>
    call(echo, 'Unary', {}, { 'x-test-run': cases[name] ?? '', ...more }, deadline);
  const until = Date.now() + 60_000;
  for (let count = 0; count < 2; count++) await meet('deadline-passed-on', {}, until).replied;
  const { trailers } = await meet('trailers-read').replied;
  await meet('trailers-read', { 'x-value': String(trailers.get('x-value')[0]) }).replied;
  const { data } = (await meet('maximal-message').replied).value;
  const digest = createHash('sha256').update(data).digest('hex');
  await meet('maximal-message', { 'x-value': digest }).replied;
  await meet('wait-for-ready').replied;
  const left = meet('cancel-passed-on', {}, Date.now() + 60_000);
  setTimeout(left.cancel, 5000);
  const { code } = await left.replied;
  for (const each of [add, echo, books]) each?.close();
  return [...ended, code];
}
