/**
 * Owners of classes who use their pupils as many owners: each attack reaches its target, and a stranger at another
 * address, or with another account, keeps what is theirs.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../../attacker.js';
import { handshakeOf } from '../../client-frames.js';

/**
 * @typedef {import('../../attacker.js').Attacker} Attacker
 * @typedef {import('../../attacker.js').RequestParts} RequestParts
 */

const classesPath = '/api/classes';
const ownerAddress = '127.0.0.3';
const strangerAddress = '127.0.0.2';
const strangerPauseMs = 200;
const title = 'Kept';

/** An address has a third of the held requests, an account a half. */
const held = 300;
const heldFlags = ['--held-requests', String(held), '--web-sockets', String(held)];
const shareOf = (/** @type {Attacker} */ { mode }, /** @type {number} */ addresses) =>
  mode.hasAccounts && addresses > 1 ? held / 2 : held / 3;

/**
 * @typedef {object} School
 * @property {readonly string[]} pupils Their paths
 * @property {readonly string[]} codes Join codes
 * @property {string | undefined} strangerKey
 */

/**
 * Creates classes of one owner, with pupils.
 *
 * @param {Attacker} attacker
 * @param {number} classes
 * @param {number} pupils Of each class
 * @param {(index: number) => RequestParts} [from] The owner
 * @returns {Promise<School>}
 */
async function openSchool(
  attacker,
  classes,
  pupils,
  from = () => ({ localAddress: ownerAddress }),
) {
  const codes = [];
  const paths = [];
  for (let index = 0; index < classes; index++) {
    const owner = { ...attacker.sameAccount, ...from(index) };
    const { joinCode } = await create(attacker, classesPath, { name: 'Many owners' }, owner);
    codes.push(joinCode);
    for (let pupil = 0; pupil < pupils; pupil++) {
      const json = { joinCode, name: `Pupil ${pupil}` };
      const { address } = await create(attacker, `${classesPath}/join`, json, from(index));
      paths.push(new URL(address).pathname);
    }
  }
  const strangerKey = attacker.mode.hasAccounts ? await attacker.newAccount() : undefined;
  return { pupils: paths, codes, strangerKey };
}

/**
 * @param {Attacker} attacker
 * @param {string} path
 * @param {object} json
 * @param {RequestParts} parts
 */
async function create(attacker, path, json, parts) {
  const { status, text } = await attacker.send('POST', path, json, parts);
  if (status !== 201) throw new Error(`${path} responded ${status} ${text}`);
  return JSON.parse(text);
}

/**
 * Repeats requests of a stranger while an attack continues, at least once after it began.
 *
 * @param {Attacker} attacker
 * @param {Promise<readonly string[]>} attack Returns complaints
 * @param {(turn: number) => Promise<boolean>} ask Returns whether the stranger got what they have a right to
 */
async function besideStranger(attacker, attack, ask) {
  await sleep(300);
  let [turns, failed] = [0, 0];
  do {
    if (!(await ask(turns++).catch(() => false))) failed++;
    await sleep(strangerPauseMs);
  } while (!attacker.isOver());
  const complaints = await attack;
  return failed === 0
    ? complaints
    : [...complaints, `a stranger failed ${failed} of ${turns} times`];
}

/**
 * Lets pupils store data on some connections without a pause, and a stranger as well, whose requests must not wait for
 * all that the pupils have sent before. That is judged by the number of responses meanwhile, not by time: it does not
 * depend on the machine. The pupils continue until the stranger has the response.
 *
 * @param {Attacker} attacker
 * @param {School} school
 * @param {object} options
 * @param {number} options.width
 * @param {number} options.most Responses to pupils while the stranger waits
 * @param {(turn: number) => object} options.dataOf
 */
async function storeBesideStranger(attacker, school, { width, most, dataOf }) {
  const { pupils } = school;
  const path = '/api/sandbox/data';
  let [turn, stored, rejected, turns, failed, late] = [0, 0, 0, 0, 0, 0];
  let isStrangerDone = false;
  const store = async () => {
    while (!isStrangerDone) {
      const data = dataOf(turn);
      const parts = { localAddress: ownerAddress };
      const { status } = await attacker
        .send('PUT', `${pupils[turn++ % pupils.length]}${path}`, data, parts)
        .catch(() => ({ status: 0 }));
      if (status === 200) stored++;
      else if (rejected++ > 1000) return;
    }
  };
  const stores = Array.from({ length: width }, store);
  await attacker.until(() => stored >= width || rejected > 0);
  do {
    const before = stored;
    const parts = { ...stranger(school), headers: { 'X-Sandbox': 'mine' } };
    const { status } = await attacker
      .send('PUT', path, dataOf(-1 - turns++), parts)
      .catch(() => ({ status: 0 }));
    if (status !== 200) failed++;
    if (stored - before > most) late++;
  } while (!attacker.isOver());
  isStrangerDone = true;
  await Promise.all(stores);
  return [
    ...(stored > 0 ? [] : ['nothing was stored']),
    ...(failed === 0 ? [] : [`a stranger failed ${failed} of ${turns} times`]),
    ...(late === 0 ? [] : [`a stranger waited for many pupils ${late} of ${turns} times`]),
  ];
}

/** @param {School} school @returns {RequestParts} */
const stranger = ({ strangerKey }) => ({ key: strangerKey, localAddress: strangerAddress });

/**
 * Holds as many connections as it can, each for another pupil in turn and from several addresses.
 *
 * @param {Attacker} attacker
 * @param {number} count
 * @param {(index: number) => string} requestOf
 * @param {RegExp} isHeld What a held connection has received
 * @param {(index: number) => string | undefined} [addressOf]
 * @returns {Promise<{held: number, rejected: number}>}
 */
async function holdAll(attacker, count, requestOf, isHeld, addressOf = () => ownerAddress) {
  /** @type {string[]} */
  const received = [];
  for (let start = 0; start < count; start += 60) {
    await attacker.openMany(
      Math.min(60, count - start),
      (socket, index) => {
        const place = start + index;
        received[place] = '';
        socket.on('data', (bytes) => {
          received[place] += bytes.toString('latin1').slice(0, 1000);
        });
        socket.write(requestOf(place), 'latin1');
      },
      addressOf(start / 60),
    );
  }
  // A busy service needs a while.
  for (let waits = 0; waits < 100 && received.some((text) => text === ''); waits++)
    await sleep(200);
  const rejected = received.filter((text) => text.includes(' 503 ')).length;
  return { held: received.filter((text) => isHeld.test(text)).length, rejected };
}

/**
 * @param {Attacker} attacker
 * @param {{held: number, rejected: number}} outcome
 * @param {string} what
 * @param {number} [addresses] That the pupils have
 */
function judgeHeld(attacker, outcome, what, addresses = 1) {
  const share = shareOf(attacker, addresses);
  const complaints = [];
  if (outcome.held > share)
    complaints.push(`the owner held ${outcome.held} ${what}, more than ${share}`);
  if (outcome.held < share * 0.8 || outcome.rejected === 0) {
    complaints.push(
      `the attack held only ${outcome.held} ${what}, and ${outcome.rejected} were rejected`,
    );
  }
  return complaints;
}

/** @param {Attacker} attacker @param {School} school */
const askDelayed = (attacker, school) => async () => {
  const { status } = await attacker.ask('GET', '/api/Books/1?delay=0.05', stranger(school));
  return status === 200;
};

/**
 * Holds event streams of pupils, from one address and from the addresses of many pupils.
 *
 * @param {number} addresses
 * @returns {(attacker: Attacker, school: School) => Promise<readonly string[]>}
 */
const holdStreams = (addresses) => (attacker, school) => {
  const addressOf = (/** @type {number} */ start) =>
    addresses === 1 ? ownerAddress : `127.0.1.${1 + (start % addresses)}`;
  const { pupils } = school;
  const request = (/** @type {number} */ index) =>
    attacker.bytes('GET', `${pupils[index % pupils.length]}/api/sse/changes?collection=Books`);
  const attack = holdAll(attacker, 600, request, /^HTTP\/1\.1 200 /, addressOf).then(
    async (outcome) => {
      await attacker.untilOver();
      return judgeHeld(attacker, outcome, 'streams', addresses);
    },
  );
  return besideStranger(attacker, attack, askDelayed(attacker, school));
};

/**
 * Sends requests, some at a time, and counts their statuses.
 *
 * @param {number} count
 * @param {(index: number) => Promise<{status: number}>} ask
 */
async function countStatuses(count, ask) {
  /** @type {Record<number, number>} */
  const statuses = {};
  let index = 0;
  const work = async () => {
    while (index < count) {
      const { status } = await ask(index++);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return statuses;
}

/** @param {Attacker} attacker @param {RequestParts} parts */
const write = (attacker, parts, path = '') =>
  attacker.send('PATCH', `${path}/api/Books/1`, { title }, parts);

/** @param {Attacker} attacker @param {RequestParts} parts */
async function isKept(attacker, parts, path = '') {
  const { text } = await attacker.ask('GET', `${path}/api/Books/1`, parts);
  return JSON.parse(text).title === title;
}

const strangerSandboxes = Array.from({ length: 15 }, (_, index) => `stranger-${index}`);

/** @param {Attacker} attacker @param {School} school */
async function fillStranger(attacker, school) {
  for (const name of strangerSandboxes) {
    const { status } = await write(attacker, {
      ...stranger(school),
      headers: { 'X-Sandbox': name },
    });
    if (status !== 200) throw new Error(`The stranger got ${status}.`);
  }
  return school;
}

/** @param {Attacker} attacker @param {School} school */
async function judgeStranger(attacker, school) {
  let lost = 0;
  for (const name of strangerSandboxes) {
    const parts = { ...stranger(school), headers: { 'X-Sandbox': name } };
    if (!(await isKept(attacker, parts))) lost++;
  }
  return lost === 0
    ? []
    : [`${lost} of ${strangerSandboxes.length} sandboxes of a stranger are gone`];
}

/**
 * Counts pupils with data, the latest first: a recorded read of one without a sandbox creates it, and evicts another.
 *
 * @param {Attacker} attacker
 * @param {readonly string[]} paths
 */
async function countKept(attacker, paths) {
  let kept = 0;
  for (const path of paths.toReversed()) if (await isKept(attacker, {}, path)) kept++;
  return kept;
}

export const classOwnerAttacks = attacksOf(
  {
    'pupils of one owner hold requests': {
      flags: heldFlags,
      prepare: (attacker) => openSchool(attacker, 10, 15),
      run: holdStreams(1),
    },
    'pupils of one owner hold requests from ten addresses': {
      flags: heldFlags,
      prepare: (attacker) => openSchool(attacker, 10, 15),
      run: holdStreams(10),
    },
    'classes of one IPv6 /64 hold requests': {
      isFor: ({ isProxied, hasAccounts }) => !isProxied && !hasAccounts,
      flags: [...heldFlags, '--trust-proxy', '127.0.0.0/8'],
      prepare: (attacker) =>
        openSchool(attacker, 10, 15, (index) => ({
          headers: { 'X-Forwarded-For': `2001:db8::${index + 1}` },
        })),
      run(attacker, school) {
        const { pupils } = school;
        const request = (/** @type {number} */ index) => {
          const headers = { 'X-Forwarded-For': `2001:db8:${1 + (index % 50)}::1` };
          return attacker.bytes(
            'GET',
            `${pupils[index % pupils.length]}/api/sse/changes?collection=Books`,
            { headers },
          );
        };
        const attack = holdAll(attacker, 600, request, /^HTTP\/1\.1 200 /).then(async (outcome) => {
          await attacker.untilOver();
          return judgeHeld(attacker, outcome, 'streams');
        });
        return besideStranger(attacker, attack, askDelayed(attacker, school));
      },
    },
    'pupils of one owner open WebSockets': {
      flags: heldFlags,
      prepare: (attacker) => openSchool(attacker, 10, 15),
      run(attacker, school) {
        const { pupils } = school;
        const open = (/** @type {number} */ index) =>
          handshakeOf(attacker, `${pupils[index % pupils.length]}/api/ws/echo`);
        const attack = holdAll(attacker, 600, open, /^HTTP\/1\.1 101 /).then(async (outcome) => {
          await attacker.untilOver();
          return judgeHeld(attacker, outcome, 'WebSockets');
        });
        return besideStranger(attacker, attack, async () => {
          const [socket] = await attacker.openMany(
            1,
            (each) =>
              each.write(handshakeOf(attacker, '/api/ws/echo', { key: school.strangerKey })),
            strangerAddress,
          );
          const bytes = await new Promise((resolve) => socket?.once('data', resolve));
          socket?.destroy();
          return String(bytes).startsWith('HTTP/1.1 101 ');
        });
      },
    },
    'pupils of one owner use all connections': {
      isFor: ({ isProxied }) => !isProxied,
      flags: ['--max-connections', '500'],
      prepare: (attacker) => openSchool(attacker, 10, 5),
      run(attacker, school) {
        const { pupils } = school;
        let responses = 0;
        const attack = attacker
          .repeat(4, async () => {
            await attacker.openMany(
              250,
              (socket, index) => {
                socket.once('data', () => responses++);
                socket.write(attacker.bytes('GET', `${pupils[index % pupils.length]}/api/Books/1`));
              },
              ownerAddress,
            );
            await sleep(300);
          })
          .then(() => attacker.until(() => responses > 0))
          .then(() => (responses > 0 ? [] : ['the pupils got no response']));
        return besideStranger(attacker, attack, async () => {
          const { status } = await attacker.ask('GET', '/api/Books/1', stranger(school));
          return status === 200;
        });
      },
    },
    'sandboxes of the pupils of one owner displace sandboxes of a stranger': {
      flags: ['--max-sandboxes', '100'],
      prepare: async (attacker) => fillStranger(attacker, await openSchool(attacker, 20, 6)),
      async run(attacker, school) {
        const { pupils } = school;
        const statuses = await countStatuses(2 * pupils.length, (index) =>
          write(attacker, {}, pupils[index % pupils.length]),
        );
        const complaints = [];
        if ((statuses[200] ?? 0) < pupils.length) {
          complaints.push(`the pupils got ${JSON.stringify(statuses)}`);
        }
        const kept = await countKept(attacker, pupils);
        // 20 boards and 15 sandboxes of the stranger remain.
        if (kept < 40 || kept > 70) complaints.push(`${kept} of ${pupils.length} pupils have data`);
        return [...complaints, ...(await judgeStranger(attacker, school))];
      },
    },
    'one pupil fills a class with data': {
      flags: ['--sandbox-bytes', '4000000'],
      prepare: async (attacker) => {
        const school = await fillStranger(attacker, await openSchool(attacker, 1, 10));
        for (const path of school.pupils) await write(attacker, {}, path);
        return school;
      },
      async run(attacker, school) {
        const [greedy = '', ...others] = school.pupils;
        const value = {
          a: Array.from({ length: 500 }, (_, id) => ({ id, text: 'x'.repeat(1000) })),
        };
        const statuses = await countStatuses(30, (index) =>
          attacker.send(
            'PUT',
            `${greedy}/api/sandbox/data`,
            { ...value, [`b${index}`]: value.a },
            {},
          ),
        );
        const bins = await countStatuses(150, () => {
          const bin = { response: { body: 'x'.repeat(64_000) } };
          return attacker.send('POST', `${greedy}/api/webhooks/bins`, bin, {});
        });
        const complaints = [];
        const rejected = (statuses[503] ?? 0) + (bins[503] ?? 0) + (bins[409] ?? 0);
        if (rejected === 0) {
          complaints.push(`nothing was full: ${JSON.stringify(statuses)} ${JSON.stringify(bins)}`);
        }
        const kept = await countKept(attacker, others);
        if (kept < others.length) complaints.push(`${others.length - kept} pupils lost their data`);
        return [...complaints, ...(await judgeStranger(attacker, school))];
      },
    },
    'one client fills a class by joining': {
      prepare: (attacker) => openSchool(attacker, 1, 0),
      async run(attacker, { codes: [joinCode] }) {
        const joinFrom = (/** @type {string} */ localAddress, /** @type {string} */ name) =>
          attacker.send('POST', `${classesPath}/join`, { joinCode, name }, { localAddress });
        const statuses = await countStatuses(400, (index) =>
          joinFrom('127.0.0.4', `Many ${index}`),
        );
        const complaints = [];
        if (statuses[201] !== 200 || !statuses[409]) {
          complaints.push(`the class was not filled: ${JSON.stringify(statuses)}`);
        }
        const late = await countStatuses(30, (index) => joinFrom(strangerAddress, `Late ${index}`));
        if (late[201] !== 30) complaints.push(`others could not join: ${JSON.stringify(late)}`);
        return complaints;
      },
    },
    'join codes below the addresses of pupils': {
      prepare: (attacker) => openSchool(attacker, 1, 5),
      async run(attacker, { pupils, codes: [joinCode] }) {
        const tryCode = (/** @type {string} */ path, /** @type {string} */ code) =>
          attacker.send(
            'POST',
            `${path}${classesPath}/join`,
            { joinCode: code, name: 'x' },
            {
              localAddress: ownerAddress,
            },
          );
        const statuses = await countStatuses(400, (index) =>
          tryCode([...pupils, ''][index % 6] ?? '', `${1000 + index}AAAA`),
        );
        const right = await countStatuses(12, (index) =>
          tryCode([...pupils, ''][index % 6] ?? '', joinCode ?? ''),
        );
        const complaints = right[201] === 12 ? [] : [`right codes got ${JSON.stringify(right)}`];
        // The attack may continue into a second minute.
        const tried = statuses[404] ?? 0;
        if (tried < 60 || tried > 120 || !statuses[429]) {
          complaints.push(`wrong codes got ${JSON.stringify(statuses)}`);
        }
        return complaints;
      },
    },
    'user codes at the issuers of many pupils': {
      prepare: (attacker) => openSchool(attacker, 2, 15),
      async run(attacker, school) {
        const { pupils } = school;
        const visit = (
          /** @type {string} */ path,
          /** @type {number} */ turn,
          /** @type {RequestParts} */ parts,
        ) =>
          attacker.ask(
            'GET',
            `${path}/oidc/device?user_code=BBBB-${String(turn).padStart(4, 'C')}`,
            parts,
          );
        const statuses = await countStatuses(450, (index) =>
          visit(pupils[index % pupils.length] ?? '', index, { localAddress: ownerAddress }),
        );
        const complaints = [];
        const tried = statuses[400] ?? 0;
        if (tried < 100 || tried > 200 || !statuses[429]) {
          complaints.push(`wrong codes got ${JSON.stringify(statuses)}`);
        }
        const { status } = await visit('', 0, stranger(school));
        return status === 400 ? complaints : [...complaints, `a stranger got ${status}`];
      },
    },
    'pupils of one owner request the keys of their issuers': {
      prepare: (attacker) => openSchool(attacker, 10, 10),
      run(attacker, school) {
        const { pupils } = school;
        /** @type {Record<number, number>} */
        const statuses = {};
        const parts = { localAddress: ownerAddress };
        const attack = attacker
          .repeat(60, async (turn) => {
            const path = pupils[turn % pupils.length] ?? '';
            if (turn >= pupils.length) await attacker.ask('DELETE', `${path}/api/sandbox`, parts);
            const { status } = await attacker.ask('GET', `${path}/oidc/jwks`, parts);
            statuses[status] = (statuses[status] ?? 0) + 1;
          })
          .then(() => attacker.until(() => statuses[503] !== undefined))
          .then(() => (statuses[503] ? [] : [`the pupils got ${JSON.stringify(statuses)}`]));
        return besideStranger(attacker, attack, async (turn) => {
          const headers = { 'X-Sandbox': `stranger-${turn}` };
          const { status } = await attacker.ask('GET', '/oidc/jwks', {
            ...stranger(school),
            headers,
          });
          return status === 200;
        });
      },
    },
    'pupils of one owner store schemas of many patterns': {
      prepare: (attacker) => openSchool(attacker, 10, 5),
      run: (attacker, school) =>
        storeBesideStranger(attacker, school, {
          width: 8,
          most: 40,
          dataOf(turn) {
            const fields = Array.from({ length: 60 }, (_, index) => [
              `p${index}`,
              { pattern: `^n${turn}x${index}[a-z0-9]{1,9}$` },
            ]);
            const properties = Object.fromEntries(fields);
            return { $schemas: { c: { properties } }, c: [{ id: 1 }] };
          },
        }),
    },
    'pupils of one owner load large data': {
      prepare: (attacker) => openSchool(attacker, 10, 5),
      run: (attacker, school) =>
        storeBesideStranger(attacker, school, {
          width: 50,
          most: 25,
          dataOf: (turn) => ({
            c: Array.from({ length: 700 }, (_, id) => ({ id, text: `${turn} ${'x'.repeat(80)}` })),
          }),
        }),
    },
    'pupils of one account send requests without end': {
      isFor: ({ hasAccounts }) => hasAccounts,
      flags: ['--account-quota', '30'],
      prepare: (attacker) => openSchool(attacker, 1, 35),
      async run(attacker, school) {
        const { pupils } = school;
        const statuses = await countStatuses(pupils.length * 30, (index) =>
          attacker.ask('GET', `${pupils[index % pupils.length]}/api/Books/1`, {}),
        );
        const served = statuses[200] ?? 0;
        const isRight = served >= 900 && served <= 1800 && (statuses[429] ?? 0) > 0;
        const complaints = isRight ? [] : [`the pupils got ${JSON.stringify(statuses)}`];
        const { status } = await attacker.ask('GET', '/api/Books/1', stranger(school));
        return status === 200 ? complaints : [...complaints, `a stranger got ${status}`];
      },
    },
  },
  { reaches: [101, 200, 201, 204, 400, 409, 429, 503, /join code/] },
);
