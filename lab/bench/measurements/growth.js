/**
 * How cost grows: the memory of a stored thing, and the processor time of creating one and of reading one, with 1, 1,000
 * and 100,000 of them.
 */

import { inspect, inspected } from '../../harness/inspect.js';
import { openConnection, writeRequest } from '../../harness/raw-http.js';
import { startService } from '../../harness/start-program.js';
import { median } from '../../harness/statistics.js';

/**
 * @typedef {{method: string, bytes: string}} BytesOfRequest
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 *
 * @typedef {object} Thing
 * @property {string} name
 * @property {string[]} flags Make room for all of them
 * @property {number} [preparations] How many requests come before all others
 * @property {(index: number) => BytesOfRequest} [prepare]
 * @property {(index: number, response: WireResponse) => void} [prepared]
 * @property {(index: number) => BytesOfRequest} create
 * @property {(index: number, response: WireResponse) => void} [created] Remembers what `read` needs
 * @property {(index: number) => BytesOfRequest} read
 */

const stages = [1, 1000, 100_000];
const most = 100_000;
const warmUps = 2000;
/** How many requests are timed together; the median of some rounds counts. */
const timed = 1000;
const rounds = 9;
const pipelined = 50;
const connections = 4;
const patienceMs = 120_000;

export const about =
  'one process for each kind, after a warm-up; memory after garbage collection, processor time of a request';

/** @returns {Promise<[what: string, figure: string][]>} */
export async function measure() {
  const rows = [];
  for (const thing of things()) rows.push(...(await measureThing(thing)));
  return rows;
}

/**
 * @param {Thing} thing
 * @returns {Promise<[string, string][]>}
 */
async function measureThing({ name, flags, preparations = 0, prepare, prepared, ...thing }) {
  const nodeFlags = ['--max-old-space-size=8192'];
  const service = await startService(flags, { nodeFlags, preload: inspected });
  const open = await Promise.all(
    Array.from({ length: connections }, () => openConnection(service.url, patienceMs)),
  );

  /**
   * Sends some requests, and returns the processor time of each on average, in µs.
   *
   * @param {number} count
   * @param {(number: number) => BytesOfRequest} requestOf
   * @param {(number: number, response: WireResponse) => void} [onResponse]
   */
  async function costOf(count, requestOf, onResponse) {
    const before = service.processorMs();
    let next = 0;
    await Promise.all(
      open.map(async (connection) => {
        while (next < count) {
          const first = next;
          next = Math.min(count, first + pipelined);
          const requests = Array.from({ length: next - first }, (_, at) => requestOf(first + at));
          const responses = await connection.sendAll(
            requests.map(({ bytes }) => bytes).join(''),
            requests.map(({ method }) => method),
          );
          for (const [at, response] of responses.entries()) {
            const isLimited = response.status === 429;
            if (response.status >= 400 && !isLimited)
              throw new Error(response.head + response.body);
            onResponse?.(first + at, response);
          }
        }
      }),
    );
    return ((service.processorMs() - before) * 1000) / count;
  }

  /**
   * @param {number} first
   * @param {number} count
   */
  const createMany = (first, count) =>
    costOf(
      count,
      (number) => thing.create(first + number),
      (number, response) => thing.created?.(first + number, response),
    );

  async function heldBytes() {
    await inspect(service, 'HeapProfiler.collectGarbage');
    const expression = 'process.memoryUsage()';
    const { result } = await inspect(service, 'Runtime.evaluate', {
      expression,
      returnByValue: true,
    });
    return result.value.heapUsed + result.value.external;
  }

  try {
    if (prepare !== undefined) await costOf(preparations, prepare, prepared);
    // They are not among those that are counted, so that none of these is dropped.
    await createMany(most, warmUps);
    const emptyBytes = await heldBytes();
    let created = 0;
    /** @type {[string, string][]} */
    const rows = [];
    for (const stage of stages) {
      const costs = [];
      for (; created < stage; created += Math.min(timed, stage - created)) {
        costs.push(await createMany(created, Math.min(timed, stage - created)));
      }
      const reads = [];
      for (let round = 0; round < rounds; round += 1) {
        reads.push(await costOf(timed, (number) => thing.read((number * 7919) % stage)));
      }
      const eachBytes = Math.round(((await heldBytes()) - emptyBytes) / stage);
      const read = `reading one ${median(reads).toFixed(1)} µs`;
      const create = `creating one ${median(costs.slice(-rounds)).toFixed(1)} µs`;
      rows.push([
        `${stage.toLocaleString('en')} ${name}`,
        stage === 1 ? read : `${eachBytes.toLocaleString('en')} bytes each, ${create}, ${read}`,
      ]);
    }
    return rows;
  } finally {
    for (const connection of open) connection.close();
    await service.stop('SIGKILL');
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} [headers]
 * @param {unknown} [value] Sent as JSON
 */
function request(method, path, headers = {}, value) {
  const type = value === undefined ? {} : { 'Content-Type': 'application/json' };
  const bytes = writeRequest(
    method,
    path,
    Object.entries({ ...headers, ...type }),
    JSON.stringify(value),
  );
  return { method, bytes };
}

/**
 * A header that puts so many things each into the same sandbox.
 *
 * @param {number} index
 * @param {number} each
 */
const inSandbox = (index, each) => ({ 'X-Sandbox': `growth-${Math.floor(index / each)}` });

const recordsEach = 900;
const binsEach = 100;
const capturesEach = 50;
const sessionsEach = 900;
const eightGibibytes = String(8 * 1024 ** 3);
const roomForSandboxes = [
  ...['--max-sandboxes', '300000', '--sandbox-idle-seconds', '86400'],
  ...['--sandbox-bytes', eightGibibytes, '--capture-bytes', eightGibibytes],
];

/** @returns {Thing[]} */
function things() {
  /** @type {string[][]} */
  const [binIds = [], filledBinIds = [], keys = [], cookies = []] = [[], [], [], []];
  const binOf = (/** @type {number} */ index) => filledBinIds[Math.floor(index / capturesEach)];
  const createBin = (/** @type {number} */ index) =>
    request('POST', '/api/webhooks/bins', inSandbox(index, binsEach), {});
  return [
    {
      name: 'sandboxes with a changed record',
      flags: roomForSandboxes,
      create: (index) =>
        request('PATCH', '/api/Books/1', inSandbox(index, 1), { available: false }),
      read: (index) => request('GET', '/api/Books/1', inSandbox(index, 1)),
    },
    {
      name: 'own records, 900 a sandbox',
      flags: roomForSandboxes,
      preparations: Math.ceil((most + warmUps) / recordsEach),
      prepare: (index) => {
        const data = { things: [{ id: 1, name: 'first', size: 1 }] };
        return request('PUT', '/api/sandbox/data', inSandbox(index, 1), data);
      },
      create: (index) =>
        request('POST', '/my/things', inSandbox(index, recordsEach), {
          name: `thing ${index}`,
          size: index,
        }),
      read: (index) =>
        request('GET', `/my/things/${2 + (index % recordsEach)}`, inSandbox(index, recordsEach)),
    },
    {
      name: 'bins, 100 a sandbox',
      flags: roomForSandboxes,
      create: createBin,
      created: (index, { body }) => {
        binIds[index] = JSON.parse(body).id;
      },
      read: (index) =>
        request('GET', `/api/webhooks/bins/${binIds[index]}`, inSandbox(index, binsEach)),
    },
    {
      name: 'captures of 200 bytes, 50 a bin',
      flags: roomForSandboxes,
      preparations: Math.ceil((most + warmUps) / capturesEach),
      prepare: createBin,
      prepared: (index, { body }) => {
        filledBinIds[index] = JSON.parse(body).id;
      },
      create: (index) =>
        request(
          'POST',
          `/api/webhooks/${binOf(index)}`,
          {},
          { number: index, text: 'x'.repeat(170) },
        ),
      read: (index) => {
        const path = `/api/webhooks/bins/${binOf(index)}/requests?limit=1`;
        return request('GET', path, inSandbox(Math.floor(index / capturesEach), binsEach));
      },
    },
    {
      name: 'accounts',
      flags: [
        ...['--accounts', 'required', '--account-quota', '100000000'],
        ...['--sign-ups-per-hour', '100000000', '--max-accounts', '300000'],
      ],
      create: (index) => request('POST', '/api/accounts', {}, { name: `account ${index}` }),
      created: (index, { body }) => {
        keys[index] = JSON.parse(body).key;
      },
      read: (index) => request('GET', '/api/Books/1', { 'X-Service-Key': keys[index] ?? '' }),
    },
    {
      name: 'rate windows, 10,000 of which are kept',
      flags: [],
      create: (index) => request('GET', '/api/RateLimit', { 'X-Client-Id': `growth-${index}` }),
      read: (index) =>
        request('GET', '/api/RateLimit/status', { 'X-Client-Id': `growth-${index}` }),
    },
    {
      name: 'sessions, 900 a sandbox',
      flags: roomForSandboxes,
      create: (index) =>
        request('POST', '/api/auth/session/login', inSandbox(index, sessionsEach), {
          username: 'ada',
          password: 'ada-secret',
        }),
      created: (index, { headers }) => {
        cookies[index] = headers.get('set-cookie')?.split(';')[0] ?? '';
      },
      read: (index) =>
        request('GET', '/api/auth/session/me', {
          ...inSandbox(index, sessionsEach),
          Cookie: cookies[index] ?? '',
        }),
    },
  ];
}
