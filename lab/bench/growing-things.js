/** What a service can be asked to keep many of: how one more is made, and a request that needs one. */

/**
 * @typedef {{method: string, path: string, headers?: Record<string, string>, body?: unknown}} PlainRequest
 * @typedef {import('../fuzz/connection.js').WireAnswer} WireAnswer
 *
 * @typedef {object} Thing
 * @property {string} name
 * @property {string[]} flags Make room for all of them
 * @property {number} most How many are made
 * @property {(send: (request: PlainRequest) => Promise<WireAnswer>) => Promise<void>} [prepare]
 * @property {(index: number) => PlainRequest} make
 * @property {(index: number, answer: WireAnswer) => void} [made] Remembers what `ask` needs
 * @property {(index: number) => PlainRequest} ask
 */

const most = 100_000;
const gibibyte = 1024 ** 3;
const roomForSandboxes = [
  ...['--max-sandboxes', '300000', '--sandbox-idle-seconds', '86400'],
  ...['--sandbox-bytes', String(8 * gibibyte), '--capture-bytes', String(8 * gibibyte)],
];

/**
 * A header that puts so many things each into a sandbox of their own.
 *
 * @param {number} index
 * @param {number} each
 */
const inSandbox = (index, each) => ({ 'X-Sandbox': `growth-${Math.floor(index / each)}` });

const recordsEach = 900;
const binsEach = 100;
const capturesEach = 50;
const sessionsEach = 900;

/** @returns {Thing[]} */
export function growingThings() {
  return [sandboxes, records, bins(), captures(), accounts(), rateWindows, sessions()];
}

/** @type {Thing} */
const sandboxes = {
  name: 'sandboxes with a changed record',
  flags: roomForSandboxes,
  most,
  make: (index) => ({
    method: 'PATCH',
    path: '/api/Books/1',
    headers: inSandbox(index, 1),
    body: { available: false },
  }),
  ask: (index) => ({ method: 'GET', path: '/api/Books/1', headers: inSandbox(index, 1) }),
};

/** @type {Thing} */
const records = {
  name: 'records of one’s own, 900 a sandbox',
  flags: roomForSandboxes,
  most,
  async prepare(send) {
    for (let first = 0; first <= 2 * most; first += recordsEach) {
      await send({
        method: 'PUT',
        path: '/api/sandbox/data',
        headers: inSandbox(first, recordsEach),
        body: { things: [{ id: 1, name: 'first', size: 1 }] },
      });
    }
  },
  make: (index) => ({
    method: 'POST',
    path: '/my/things',
    headers: inSandbox(index, recordsEach),
    body: { name: `thing ${index}`, size: index },
  }),
  ask: (index) => ({
    method: 'GET',
    path: `/my/things/${2 + (index % recordsEach)}`,
    headers: inSandbox(index, recordsEach),
  }),
};

/** @returns {Thing} */
function bins() {
  const ids = new Map();
  return {
    name: 'bins, 100 a sandbox',
    flags: roomForSandboxes,
    most,
    make: (index) => ({
      method: 'POST',
      path: '/api/webhooks/bins',
      headers: inSandbox(index, binsEach),
      body: {},
    }),
    made: (index, { body }) => ids.set(index, JSON.parse(body).id),
    ask: (index) => ({
      method: 'GET',
      path: `/api/webhooks/bins/${ids.get(index)}`,
      headers: inSandbox(index, binsEach),
    }),
  };
}

/** @returns {Thing} */
function captures() {
  /** @type {string[]} */
  const ids = [];
  const inBin = (/** @type {number} */ index) => ids[Math.floor(index / capturesEach)];
  return {
    name: 'captures of 200 bytes, 50 a bin',
    flags: roomForSandboxes,
    most,
    async prepare(send) {
      for (let bin = 0; bin < (2 * most) / capturesEach; bin += 1) {
        const made = await send({
          method: 'POST',
          path: '/api/webhooks/bins',
          headers: inSandbox(bin, binsEach),
          body: {},
        });
        ids.push(JSON.parse(made.body).id);
      }
    },
    make: (index) => ({
      method: 'POST',
      path: `/api/webhooks/${inBin(index)}`,
      body: { number: index, text: 'x'.repeat(170) },
    }),
    ask: (index) => ({
      method: 'GET',
      path: `/api/webhooks/bins/${inBin(index)}/requests?limit=1`,
      headers: inSandbox(Math.floor(index / capturesEach), binsEach),
    }),
  };
}

/** @returns {Thing} */
function accounts() {
  const keys = new Map();
  return {
    name: 'accounts',
    flags: [
      ...['--accounts', 'required', '--account-quota', '100000000'],
      ...['--sign-ups-per-hour', '100000000', '--max-accounts', '300000'],
    ],
    most,
    make: (index) => ({
      method: 'POST',
      path: '/api/accounts',
      body: { name: `account ${index}` },
    }),
    made: (index, { body }) => keys.set(index, JSON.parse(body).key),
    ask: (index) => ({
      method: 'GET',
      path: '/api/Books/1',
      headers: { 'X-Service-Key': keys.get(index) },
    }),
  };
}

/** @type {Thing} */
const rateWindows = {
  name: 'rate windows, 10,000 of which are kept',
  flags: [],
  most,
  make: (index) => ({
    method: 'GET',
    path: '/api/RateLimit',
    headers: { 'X-Client-Id': `growth-${index}` },
  }),
  ask: (index) => ({
    method: 'GET',
    path: '/api/RateLimit/status',
    headers: { 'X-Client-Id': `growth-${index}` },
  }),
};

/** @returns {Thing} */
function sessions() {
  const cookies = new Map();
  return {
    name: 'sessions, 900 a sandbox',
    flags: roomForSandboxes,
    most,
    make: (index) => ({
      method: 'POST',
      path: '/api/auth/session/login',
      headers: inSandbox(index, sessionsEach),
      body: { username: 'ada', password: 'ada-secret' },
    }),
    made: (index, { headers }) => cookies.set(index, headers.get('set-cookie')?.split(';')[0]),
    ask: (index) => ({
      method: 'GET',
      path: '/api/auth/session/me',
      headers: { ...inSandbox(index, sessionsEach), Cookie: cookies.get(index) },
    }),
  };
}
