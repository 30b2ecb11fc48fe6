/** Small documents that cause much work or large responses, and malformed ones. */

import { processorMs } from '../../harness/process-figures.js';
import { median } from '../../harness/statistics.js';
import { attacksOf } from '../attacker.js';
import { createUsers } from './readers.js';

const mebibyte = 1024 * 1024;

/** @param {number} count @param {string} field */
const aliased = (count, field) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`;

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} query
 */
function askRepeatedly(attacker, query) {
  // A known document is executed in another way than a new one.
  return attacker.repeat(8, (turn) =>
    attacker.send('POST', '/graphql', { query: turn % 2 ? query : `query Q${turn} ${query}` }),
  );
}

const maxNameLength = 1000;

const introspection =
  '__schema { types { name description fields { name description args { name type { name ofType { name ofType { name } } } } type { name ofType { name ofType { name ofType { name } } } } } } }';

/** @param {string} text Repeated to fill a mebibyte */
const filled = (text) => text.repeat(Math.floor((mebibyte - 200) / Buffer.byteLength(text)));

const json = { 'Content-Type': 'application/json' };
const xml = { 'Content-Type': 'text/xml; charset=utf-8' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=b' };
const envelope = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>';
const file =
  '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\nContent-Type: text/plain\r\n\r\n';
const field = '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n';

/**
 * @typedef {object} Kind
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {Readonly<Record<string, string>>} right Bodies as they should be
 * @property {Readonly<Record<string, string>>} wrong
 */

/** @returns {Readonly<Record<string, Kind>>} */
function kinds() {
  return {
    JSON: {
      path: '/api/methods/post',
      headers: json,
      right: { numbers: `[${filled('0,')}0]`, objects: `[${filled('{"a":"b"},')}0]` },
      wrong: {
        'numbers with letters': filled('1a '),
        'a list cut short': `[${filled('0,')}`,
        'quotes alone': filled('"'),
        'bad escapes': `"${filled('\\x')}"`,
        brackets: filled('['),
        'control characters': `"${filled('\u0001')}"`,
        'lone commas': `[${filled(',')}]`,
      },
    },
    multipart: {
      path: '/api/methods/post',
      headers: multipart,
      right: {
        'a file': `${file}${filled('x')}\r\n--b--\r\n`,
        fields: `${filled(field)}--b--\r\n`,
      },
      wrong: {
        boundaries: filled('--b\r\n'),
        'no boundary': filled('x'),
        'parts without a name': `${filled('--b\r\n\r\nx\r\n')}--b--\r\n`,
        'headers that do not end': `--b\r\n${filled('A: b\r\n')}`,
        'nearly boundaries': `${file}${filled('\r\n--a')}`,
        'cut short': `${file}${filled('x')}`,
      },
    },
    XML: {
      path: '/api/soap/calculator',
      headers: xml,
      right: {
        'a long text': `${envelope}<Add xmlns="http://tempuri.org/"><intA>${' '.repeat(mebibyte - 400)}1</intA><intB>1</intB></Add></e:Body></e:Envelope>`,
        entities: `${envelope}<Add xmlns="http://tempuri.org/"><intA>${filled('&#32;').slice(0, -500)}1</intA><intB>1</intB></Add></e:Body></e:Envelope>`,
        'a comment': `<!--${filled('x')}-->${envelope}<Add xmlns="http://tempuri.org/"><intA>1</intA><intB>1</intB></Add></e:Body></e:Envelope>`,
      },
      wrong: {
        'a comment of dashes': `<a><!--${filled('- ')}`,
        'an attribute that does not end': `<a b="${filled('x')}`,
        'many attributes': `<a ${filled('b="" ')}/>`,
        'angle brackets': filled('<'),
        elements: filled('<a>'),
        'entities that are none': `<a>${filled('&x')}`,
        'no markup': filled('x'),
      },
    },
  };
}

/**
 * How often the processor time of a body of each kind is measured; the median counts, since other processes disturb
 * single measurements.
 */
const rounds = { long: 5, short: 1 };
const bodiesPerRound = 3;
/** The difference that garbage collection may make. */
const noiseMs = 2;
const maxRatio = { long: 2, short: 3 };

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {Kind} kind
 * @param {string} body
 */
async function costOf(attacker, { path, headers }, body) {
  const before = processorMs(attacker.pid);
  for (let sent = 0; sent < bodiesPerRound; sent++) {
    await attacker.ask('POST', path, { headers, body });
  }
  return (processorMs(attacker.pid) - before) / bodiesPerRound;
}

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {string} name
 * @param {Kind} kind
 */
async function compareCosts(attacker, name, kind) {
  const length = attacker.isShort ? 'short' : 'long';
  /** @type {Record<string, number[]>} */
  const costs = {};
  for (let round = 0; round < rounds[length]; round++) {
    for (const [shape, body] of Object.entries({ ...kind.right, ...kind.wrong })) {
      costs[shape] = [...(costs[shape] ?? []), await costOf(attacker, kind, body)];
    }
  }
  const cost = (/** @type {string} */ shape) => median(costs[shape] ?? []);
  const wellFormed = Math.max(...Object.keys(kind.right).map(cost));
  return Object.keys(kind.wrong)
    .filter((shape) => cost(shape) > wellFormed * maxRatio[length] + noiseMs)
    .map(
      (shape) =>
        `${name}, ${shape}: ${cost(shape).toFixed(1)} ms of processor for 1 MiB, ${wellFormed.toFixed(1)} ms for what is well-formed`,
    );
}

/** @type {readonly import('../attacker.js').Attack[]} */
export const documentAttacks = [
  ...attacksOf({
    'GraphQL: names that grow when written, times aliases': {
      async prepare(attacker) {
        // Each is written with six bytes, or, where it is rejected, with two.
        for (const character of ['\u0001', '"'])
          await createUsers(attacker, character.repeat(maxNameLength), attacker.sameAccount);
        return attacker.keys[0];
      },
      async run(attacker, key) {
        if (key !== undefined) attacker.keys = [key];
        await askRepeatedly(attacker, aliased(50, 'users { name job city }'));
      },
    },
    'GraphQL: introspection times aliases': (attacker) =>
      askRepeatedly(attacker, aliased(60, introspection)),
    'GraphQL: large lists times aliases': (attacker) =>
      askRepeatedly(
        attacker,
        aliased(40, 'countries { name capital region population area code }'),
      ),
  }),
  ...Object.entries(kinds()).map(
    /** @returns {import('../attacker.js').Attack} */
    ([name, kind]) => ({
      name: `malformed ${name} of 1 MiB`,
      async run(attacker) {
        const complaints = await compareCosts(attacker, name, kind);
        const bodies = Object.values(kind.wrong);
        await attacker.repeat(8, (turn) => {
          const body = bodies[turn % bodies.length] ?? '';
          return attacker.ask('POST', kind.path, { headers: kind.headers, body });
        });
        return complaints;
      },
    }),
  ),
];
