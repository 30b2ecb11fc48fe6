/**
 * Measures how cost grows: the memory of a stored thing, and the processor time of creating and
 * reading it, with 1, 1,000 and 100,000 of them.
 */

import { inspect, inspected } from '../../harness/inspect.js';
import { openConnection, writeRequest } from '../../harness/raw-http.js';
import { startService } from '../../harness/start-program.js';
import { median } from '../../harness/statistics.js';

/**
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 * @typedef {[method: string, path: string, value?: object | undefined, headers?: Record<string, string>]} Call
 * @typedef {(index: number, idOf: (index: number) => string) => Call} CallFor `idOf` returns what `remember` returned
 *
 * @typedef {object} Thing
 * @property {string} name
 * @property {string[]} [flags] Make room for all of them; by default in sandboxes
 * @property {number} [perSandbox] How many of them are in the same sandbox
 * @property {{each: number, call: CallFor}} [prepare] What `each` of them together need first
 * @property {CallFor} create
 * @property {(response: WireResponse) => string} [remember] From the response to `prepare`, or else to `create`
 * @property {CallFor} read
 */

const stages = [1, 1000, 100_000];
const most = 100_000;
const warmUps = 2000;
/** Number of requests that are timed together; the median of several rounds is used. */
const timed = 1000;
const rounds = 9;
const pipelined = 50;
const connections = 4;
const patienceMs = 120_000;
const eightGibibytes = String(8 * 1024 ** 3);
const roomForSandboxes = [
  ...['--max-sandboxes', '300000', '--sandbox-idle-seconds', '86400'],
  ...['--sandbox-bytes', eightGibibytes, '--capture-bytes', eightGibibytes],
];

export const about =
  'one process for each kind, after a warm-up; memory after garbage collection, processor time of a request';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const rows = [];
  for (const thing of things) rows.push(...(await measureThing(thing)));
  return rows;
}

/** @param {{body: string}} response */
const idIn = ({ body }) => String(JSON.parse(body).id);

/** @type {readonly Thing[]} */
const things = [
  {
    name: 'sandboxes with a changed record',
    perSandbox: 1,
    create: () => ['PATCH', '/api/Books/1', { available: false }],
    read: () => ['GET', '/api/Books/1'],
  },
  {
    name: 'own records, 900 a sandbox',
    perSandbox: 900,
    prepare: {
      each: 900,
      call: () => ['PUT', '/api/sandbox/data', { things: [{ id: 1, name: 'first', size: 1 }] }],
    },
    create: (index) => ['POST', '/my/things', { name: `thing ${index}`, size: index }],
    read: (index) => ['GET', `/my/things/${2 + (index % 900)}`],
  },
  {
    name: 'bins, 100 a sandbox',
    perSandbox: 100,
    create: () => ['POST', '/api/webhooks/bins', {}],
    remember: idIn,
    read: (index, idOf) => ['GET', `/api/webhooks/bins/${idOf(index)}`],
  },
  {
    name: 'captures of 200 bytes, 50 a bin',
    perSandbox: 50 * 100,
    prepare: { each: 50, call: () => ['POST', '/api/webhooks/bins', {}] },
    remember: idIn,
    create: (index, idOf) => {
      const body = { number: index, text: 'x'.repeat(170) };
      return ['POST', `/api/webhooks/${idOf(Math.floor(index / 50))}`, body];
    },
    read: (index, idOf) => {
      return ['GET', `/api/webhooks/bins/${idOf(Math.floor(index / 50))}/requests?limit=1`];
    },
  },
  {
    name: 'accounts',
    flags: [
      ...['--accounts', 'required', '--account-quota', '100000000'],
      ...['--sign-ups-per-hour', '100000000', '--max-accounts', '300000'],
    ],
    create: (index) => ['POST', '/api/accounts', { name: `account ${index}` }],
    remember: ({ body }) => JSON.parse(body).key,
    read: (index, keyOf) => ['GET', '/api/Books/1', undefined, { 'X-Service-Key': keyOf(index) }],
  },
  {
    name: 'rate windows, 10,000 of which are kept',
    flags: [],
    create: (index) => ['GET', '/api/RateLimit', undefined, { 'X-Client-Id': `growth-${index}` }],
    read: (index) => {
      return ['GET', '/api/RateLimit/status', undefined, { 'X-Client-Id': `growth-${index}` }];
    },
  },
  {
    name: 'sessions, 900 a sandbox',
    perSandbox: 900,
    create: () => {
      return ['POST', '/api/auth/session/login', { username: 'ada', password: 'ada-secret' }];
    },
    remember: ({ headers }) => headers.get('set-cookie')?.split(';')[0] ?? '',
    read: (index, cookieOf) => {
      return ['GET', '/api/auth/session/me', undefined, { Cookie: cookieOf(index) }];
    },
  },
];

/**
 * @param {Thing} thing
 * @returns {Promise<[string, string][]>}
 */
async function measureThing(thing) {
  const { name, flags = roomForSandboxes, perSandbox, prepare, create, remember, read } = thing;
  const nodeFlags = ['--max-old-space-size=8192'];
  const service = await startService(flags, { nodeFlags, preload: inspected });
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection(service.url, patienceMs)),
  );
  /** @type {string[]} */
  const ids = [];

  /**
   * Sends some requests, and returns the processor time of each on average, in µs.
   *
   * @param {CallFor} callFor
   * @param {readonly number[]} indexes Of the things
   * @param {{each?: number, remember?: Thing['remember'] | undefined}} [options] `each` things have a request together
   */
  async function costOf(callFor, indexes, { each = 1, remember } = {}) {
    const before = service.processorMs();
    let next = 0;
    await Promise.all(
      open.map(async (connection) => {
        while (next < indexes.length) {
          const some = indexes.slice(next, next + pipelined);
          next += some.length;
          const calls = some.map((index) => callFor(index, (id) => ids[id] ?? ''));
          const bytes = calls.map(([method, path, value, headers], at) => {
            const sandbox = Math.floor(((some[at] ?? 0) * each) / (perSandbox ?? 1));
            const all = {
              ...headers,
              ...(perSandbox !== undefined && { 'X-Sandbox': `growth-${sandbox}` }),
              ...(value !== undefined && { 'Content-Type': 'application/json' }),
            };
            return writeRequest(method, path, Object.entries(all), JSON.stringify(value));
          });
          const methods = calls.map(([method]) => method);
          const responses = await connection.sendAll(bytes.join(''), methods);
          for (const [at, response] of responses.entries()) {
            const isLimited = response.status === 429;
            if (response.status >= 400 && !isLimited)
              throw new Error(response.head + response.body);
            if (remember !== undefined) ids[some[at] ?? 0] = remember(response);
          }
        }
      }),
    );
    return ((service.processorMs() - before) * 1000) / indexes.length;
  }

  /** @param {number} count */
  const range = (count, first = 0) => Array.from({ length: count }, (_, index) => first + index);
  const whenCreated = prepare === undefined ? { remember } : {};

  async function heldBytes() {
    await inspect(service, 'HeapProfiler.collectGarbage');
    const call = { expression: 'process.memoryUsage()', returnByValue: true };
    const { result } = await inspect(service, 'Runtime.evaluate', call);
    return result.value.heapUsed + result.value.external;
  }

  try {
    if (prepare !== undefined) {
      const { call, each } = prepare;
      await costOf(call, range(Math.ceil((most + warmUps) / each)), { each, remember });
    }
    // Not counted, so that no counted thing is dropped.
    await costOf(create, range(warmUps, most), whenCreated);
    const emptyBytes = await heldBytes();
    let created = 0;
    /** @type {[string, string][]} */
    const rows = [];
    for (const stage of stages) {
      const costs = [];
      for (; created < stage; created += Math.min(timed, stage - created)) {
        const indexes = range(Math.min(timed, stage - created), created);
        costs.push(await costOf(create, indexes, whenCreated));
      }
      const some = range(timed).map((number) => (number * 7919) % stage);
      const reads = [];
      for (let round = 0; round < rounds; round += 1) reads.push(await costOf(read, some));
      const eachBytes = Math.round(((await heldBytes()) - emptyBytes) / stage);
      const reading = `reading one ${median(reads).toFixed(1)} µs`;
      const creating = `creating one ${median(costs.slice(-rounds)).toFixed(1)} µs`;
      const memory = `${eachBytes.toLocaleString('en')} bytes each`;
      rows.push([
        `${stage.toLocaleString('en')} ${name}`,
        stage === 1 ? reading : `${memory}, ${creating}, ${reading}`,
      ]);
    }
    return rows;
  } finally {
    for (const connection of open) connection.close();
    await service.stop('SIGKILL');
  }
}
