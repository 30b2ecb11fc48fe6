/** Small documents that cause much work or large responses, and malformed ones. */

import { createHash } from 'node:crypto';
import { aliased } from '../../fuzz/write-document.js';
import { processorMs } from '../../harness/process-figures.js';
import { median } from '../../harness/statistics.js';
import { attacksOf } from '../attacker.js';
import { createUsers } from './slow-clients.js';

const mebibyte = 1024 * 1024;

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} query
 */
function askRepeatedly(attacker, query) {
  // A known document is executed differently from a new one.
  return attacker.repeat(8, (turn) =>
    attacker.send('POST', '/graphql', { query: turn % 2 ? query : `query Q${turn} ${query}` }),
  );
}

/**
 * Sends a new document of nearly the maximum registered size, then only its hash.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} turn
 */
async function registerDocument(attacker, turn) {
  const name = `${turn}_${Math.random().toString(36).slice(2)}`;
  const query = `query Q${name} { books { title } } # ${'x'.repeat(16_000)}`;
  const sha256Hash = createHash('sha256').update(query).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  await attacker.send('POST', '/graphql', { query, extensions });
  return attacker.send('POST', '/graphql', { extensions });
}

/** Nearly the limit of 64 KiB for an issuer's settings. */
const issuerSettings = {
  scopes: Array.from({ length: 50 }, (_, place) => `${place}${'s'.repeat(90)}`),
  resources: Array.from(
    { length: 20 },
    (_, place) => `https://${place}.example/${'r'.repeat(450)}`,
  ),
  clients: Array.from({ length: 20 }, (_, place) => ({
    clientId: `client-${place}`,
    clientSecret: 's',
    redirectUris: Array.from({ length: 2 }, () => `http://${'h'.repeat(60)}.docker/cb`),
    claims: { long: 'c'.repeat(1900) },
  })),
};

/**
 * Sends a form with as many unknown audiences as fit, or with the right ones.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {number} turn
 */
function askForTokens(attacker, turn) {
  const audiences = turn % 2 ? issuerSettings.resources : Array(30_000).fill('x');
  const fields = {
    grant_type: 'client_credentials',
    client_id: 'client-19',
    client_secret: 's',
    scope: issuerSettings.scopes.join(' '),
    audience: audiences.join(' '),
  };
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'X-Sandbox': 'large-settings',
  };
  return attacker.ask('POST', '/oidc/token', {
    ...attacker.sameAccount,
    headers,
    body: new URLSearchParams(fields).toString(),
  });
}

const maxNameLength = 1000;

const introspection =
  '__schema { types { name description fields { name description args { name type { name ofType { name ofType { name } } } } type { name ofType { name ofType { name ofType { name } } } } } } }';

/** @param {string} text Repeated to fill a mebibyte */
const filled = (text) => text.repeat(Math.floor((mebibyte - 200) / Buffer.byteLength(text)));

const envelope = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>';
/** @param {string} intA */
const addition = (intA) =>
  `${envelope}<Add xmlns="http://tempuri.org/"><intA>${intA}</intA><intB>1</intB></Add></e:Body></e:Envelope>`;
const file =
  '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: text/plain\r\n\r\n';
const field = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n';

/**
 * @typedef {object} Kind
 * @property {string} path
 * @property {string} type
 * @property {Readonly<Record<string, string>>} right Well-formed bodies
 * @property {Readonly<Record<string, string>>} wrong
 */

/** @returns {Readonly<Record<string, Kind>>} */
function kinds() {
  return {
    JSON: {
      path: '/api/methods/post',
      type: 'application/json',
      right: { numbers: `[${filled('0,')}0]`, objects: `[${filled('{"a":"b"},')}0]` },
      wrong: {
        'numbers with letters': filled('1a '),
        'a list cut short': `[${filled('0,')}`,
        'only quotes': filled('"'),
        'bad escapes': `"${filled('\\x')}"`,
        brackets: filled('['),
        'control characters': `"${filled('\u0001')}"`,
        'lone commas': `[${filled(',')}]`,
      },
    },
    multipart: {
      path: '/api/methods/post',
      type: 'multipart/form-data; boundary=b',
      right: {
        'a file': `${file}${filled('x')}\r\n--b--\r\n`,
        fields: `${filled(field)}--b--\r\n`,
      },
      wrong: {
        boundaries: filled('--b\r\n'),
        'no boundary': filled('x'),
        'parts without a name': `${filled('--b\r\n\r\nx\r\n')}--b--\r\n`,
        'endless headers': `--b\r\n${filled('A: b\r\n')}`,
        'almost boundaries': `${file}${filled('\r\n--a')}`,
        'cut short': `${file}${filled('x')}`,
      },
    },
    XML: {
      path: '/api/soap/calculator',
      type: 'text/xml; charset=utf-8',
      right: {
        'a long text': addition(`${' '.repeat(mebibyte - 400)}1`),
        entities: addition(`${filled('&#32;').slice(0, -500)}1`),
        'a comment': `<!--${filled('x')}-->${addition('1')}`,
      },
      wrong: {
        'a comment of dashes': `<a><!--${filled('- ')}`,
        'an endless attribute': `<a b="${filled('x')}`,
        'many attributes': `<a ${filled('b="" ')}/>`,
        'angle brackets': filled('<'),
        elements: filled('<a>'),
        'unknown entities': `<a>${filled('&x')}`,
        'no markup': filled('x'),
      },
    },
  };
}

/**
 * Number of measurements of the processor time for each kind of body; the median is used, because
 * other processes disturb single ones.
 */
const rounds = { long: 5, short: 1 };
const bodiesPerRound = 3;
/** The difference that garbage collection may make. */
const noiseMs = 2;
const maxRatio = { long: 2, short: 3 };

/**
 * Returns complaints about malformed bodies that cost much more than well-formed ones.
 *
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} name
 * @param {Kind} kind
 */
async function compareCosts(attacker, name, { path, type, right, wrong }) {
  const length = attacker.isShort ? 'short' : 'long';
  /** @type {Record<string, number[]>} */
  const costs = {};
  for (let round = 0; round < rounds[length]; round++) {
    for (const [shape, body] of Object.entries({ ...right, ...wrong })) {
      const before = processorMs(attacker.pid);
      for (let sent = 0; sent < bodiesPerRound; sent++) {
        await attacker.ask('POST', path, { headers: { 'Content-Type': type }, body });
      }
      const cost = (processorMs(attacker.pid) - before) / bodiesPerRound;
      costs[shape] = [...(costs[shape] ?? []), cost];
    }
  }
  const cost = (/** @type {string} */ shape) => median(costs[shape] ?? []);
  const wellFormed = Math.max(...Object.keys(right).map(cost));
  return Object.keys(wrong)
    .filter((shape) => cost(shape) > wellFormed * maxRatio[length] + noiseMs)
    .map(
      (shape) =>
        `${name}, ${shape}: ${cost(shape).toFixed(1)} ms of processor for 1 MiB, ${wellFormed.toFixed(1)} ms for a well-formed body`,
    );
}

export const documentAttacks = [
  ...attacksOf(
    {
      'GraphQL: names that grow when written, times aliases': {
        async prepare(attacker) {
          // Each is written with six bytes, or with two in a rejection.
          for (const character of ['\u0001', '"'])
            await createUsers(attacker, character.repeat(maxNameLength), attacker.sameAccount);
          return attacker.keys[0];
        },
        async run(attacker, key) {
          if (key !== undefined) attacker.keys = [key];
          await askRepeatedly(attacker, aliased(50, 'users { name job city }'));
        },
      },
      'GraphQL: documents registered by their hash': (attacker) =>
        attacker.repeat(8, (turn) => registerDocument(attacker, turn)),
      'tokens of an issuer with the largest settings': {
        async prepare(attacker) {
          const parts = { ...attacker.sameAccount, headers: { 'X-Sandbox': 'large-settings' } };
          const put = await attacker.send('PUT', '/api/sandbox/oidc', issuerSettings, parts);
          if (put.status !== 200) throw new Error(`The settings were rejected: ${put.text}`);
        },
        run: (attacker) => attacker.repeat(8, (turn) => askForTokens(attacker, turn)),
      },
      'GraphQL: introspection times aliases': (attacker) =>
        askRepeatedly(attacker, aliased(60, introspection)),
      'GraphQL: large lists times aliases': (attacker) =>
        askRepeatedly(
          attacker,
          aliased(40, 'countries { name capital region population area code }'),
        ),
    },
    { reaches: [200, 400] },
  ),
  ...Object.entries(kinds()).map(
    /** @returns {import('../attacker.js').Attack} */
    ([name, kind]) => ({
      name: `malformed ${name} of 1 MiB`,
      reaches: [200, 400, 500],
      async run(attacker) {
        const complaints = await compareCosts(attacker, name, kind);
        const bodies = Object.values(kind.wrong);
        await attacker.repeat(8, (turn) => {
          const body = bodies[turn % bodies.length] ?? '';
          return attacker.ask('POST', kind.path, { headers: { 'Content-Type': kind.type }, body });
        });
        return complaints;
      },
    }),
  ),
];
