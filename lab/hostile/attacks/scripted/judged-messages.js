/** Messages that judges, bugs and filters read, with texts for which a pattern would need quadratic time. */

import { attacksOf } from '../../attacker.js';

/** @typedef {import('../../attacker.js').Attacker} Attacker */

const width = 6;
const half = 8162;
const mebibyte = 1024 * 1024;

const own = (/** @type {Attacker} */ attacker, /** @type {string} */ name) => ({
  ...attacker.sameAccount,
  headers: { 'X-Sandbox': `hostile-${name}` },
});

/** @param {string} text @param {number} [length] */
const fill = (text, length = 2 * half) => text.repeat(Math.floor(length / text.length));

/** A document within all limits that has as many parts as possible. */
const manyFields = `query A { book(id: 1) { ${fill('a: title, ', 4000)} } }`;

/**
 * Documents by the challenge whose step reads them, each the hostile text of a pattern that it could be.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const documents = {
  'graphql-query': [`{ book ${fill(' ')}`, fill('{ title '), manyFields],
  'graphql-variables': [`{ book( ${fill('id ')}`, fill('book( '), manyFields],
  'graphql-alias': [fill('book '), `${fill('a')} : book`, manyFields],
  'graphql-fragment': [
    `fragment A on Book ... ${'a'.repeat(half)}${'.'.repeat(half)}`,
    fill('...a '),
    manyFields,
  ],
  'graphql-operation-name': [fill('query a '), `query ${fill('a')}`, manyFields],
  'graphql-directive': [fill('@include ( '), fill('@skip'), manyFields],
};

const envelope = 'http://schemas.xmlsoap.org/soap/envelope/';
/** @param {string} content */
const inEnvelope = (content) =>
  `<s:Envelope xmlns:s="${envelope}"><s:Body>${content}</s:Body></s:Envelope>`;

/** @type {Readonly<Record<string, readonly string[]>>} */
const soapMessages = {
  'soap-add': [inEnvelope(fill('<a/>', 36_000)), fill('<a:', mebibyte - 1000)],
  'soap-fault': [inEnvelope(`<Divide>${fill('<intB> </intB>', 90_000)}</Divide>`), fill('intB> ')],
  'soap-country': [inEnvelope(fill('<countryCode/>', 90_000)), fill('countryCode> ')],
};

/**
 * Starts a challenge, and returns a function that sends a message and throws unless its judge has read it.
 *
 * @param {Attacker} attacker
 * @param {string} id
 * @param {string} path
 * @param {string} type
 */
async function judged(attacker, id, path, type) {
  const parts = own(attacker, id);
  const { status } = await attacker.ask('POST', `/api/challenges/${id}/start`, parts);
  if (status !== 200) throw new Error(`${id} was not started: ${status}`);
  const headers = { ...parts.headers, 'Content-Type': type };
  // Parsers are loaded with the first message.
  await attacker.ask('POST', path, { ...parts, headers, body: '{"query": "{ books { id } }"}' });
  return {
    send: (/** @type {string} */ body) => attacker.ask('POST', path, { ...parts, headers, body }),
    async isJudged() {
      const { text } = await attacker.ask('GET', `/api/challenges/${id}`, parts);
      const { missing, verdict } = JSON.parse(text);
      // A judge that has read a message says what it lacks.
      return verdict.outcome === 'unclear' && missing.length === 1;
    },
  };
}

/**
 * @param {Readonly<Record<string, readonly string[]>>} messages By challenge
 * @param {(id: string) => readonly [path: string, type: string]} targetOf
 * @param {(text: string) => string} write
 */
const judging = (messages, targetOf, write) => ({
  prepare: (/** @type {Attacker} */ attacker) =>
    Promise.all(Object.keys(messages).map((id) => judged(attacker, id, ...targetOf(id)))),
  async run(
    /** @type {Attacker} */ attacker,
    /** @type {Awaited<ReturnType<typeof judged>>[]} */ challenges,
  ) {
    const bodies = Object.values(messages).map((texts) => texts.map(write));
    const send = async (/** @type {number} */ place) => {
      for (const body of bodies[place] ?? []) await challenges[place]?.send(body);
    };
    // First, since an account has a quota.
    const complaints = [];
    for (const [place, id] of Object.keys(messages).entries()) {
      await send(place);
      if (!(await challenges[place]?.isJudged())) complaints.push(`${id} judged no message`);
    }
    await attacker.repeat(width, (turn) => send(turn % challenges.length));
    return complaints;
  },
});

const countries = '/api/soap/countries';
const ofCountry = (/** @type {string} */ code) =>
  inEnvelope(
    `<GetCountryInfo xmlns="http://tempuri.org/"><countryCode>${code}</countryCode></GetCountryInfo>`,
  );
/** An element that begins again and again, and never ends. */
const openElements = fill('<countryCode (', mebibyte - 1000);

/** @param {Attacker} attacker */
async function switchOnCountryBug(attacker) {
  const parts = own(attacker, 'country-bug');
  const xml = { ...parts, headers: { ...parts.headers, 'Content-Type': 'text/xml' } };
  for (let seed = 1; seed <= 20; seed++) {
    const bugs = { level: 'senior', count: 50, seed };
    await attacker.send('PUT', '/api/sandbox/bugs', bugs, parts);
    const { text } = await attacker.ask('POST', countries, { ...xml, body: ofCountry('no') });
    // The bug replaces a code in lower case by -.
    if (text.includes('-')) return xml;
  }
  throw new Error('No seed switched the bug on.');
}

const records = Array.from({ length: 5000 }, (_, id) => ({ id: id + 1, title: 'a' }));
const names = ['[', '[a', '[a.', "['a", 'a.', 'a[0].', ']['];

const cached = '/api/http/cache/judged';
const logged = 100;
/** They may be recorded, and the resource varies by them. */
const variants = [
  'Accept',
  'Accept-Language',
  'Origin',
  'Accept-Charset',
  'Priority',
  'User-Agent',
];
const largeVariant = Object.fromEntries(variants.map((name) => [name, '"'.repeat(200)]));

/**
 * Fills the log of a cached resource with requests that differ only at the end, and reports each reuse of the oldest.
 *
 * @param {Attacker} attacker
 */
async function reportReuses(attacker) {
  const parts = own(attacker, 'reuses');
  const headers = { ...parts.headers, ...largeVariant, 'Cache-Control': '"'.repeat(200) };
  /** @type {string | null | undefined} */
  let requestId;
  for (let sent = 0; sent < logged; sent++) {
    const target = `${cached}?vary=${variants.join(',')}&a=${'%22'.repeat(150)}${sent}`;
    const response = await attacker.ask('GET', target, { ...parts, headers });
    requestId ??= response.headers.get('x-request-id');
  }
  for (let sent = 0; sent < logged; sent++) {
    const { status } = await attacker.send('POST', `${cached}/reuses`, { requestId }, parts);
    if (status !== 200) throw new Error(`A report of a reuse was rejected: ${status}`);
  }
  return parts;
}

export const judgedAttacks = attacksOf(
  {
    'caches: a hundred reports of one response, before a hundred others': {
      prepare: reportReuses,
      run: (attacker, parts) =>
        attacker.repeat(width, () => attacker.ask('GET', `${cached}/hits`, parts)),
    },
    'challenges: GraphQL documents of 16 KiB that begin again and again': judging(
      documents,
      () => ['/graphql', 'application/json'],
      (query) => JSON.stringify({ query }),
    ),
    'challenges: SOAP messages that begin again and again': judging(
      soapMessages,
      (id) => [id === 'soap-country' ? countries : '/api/soap/calculator', 'text/xml'],
      String,
    ),
    'a bug that reads SOAP messages of 1 MiB': {
      prepare: switchOnCountryBug,
      async run(attacker, parts) {
        const { status, text } = await attacker.ask('POST', countries, {
          ...parts,
          body: openElements,
        });
        await attacker.repeat(width, () =>
          attacker.ask('POST', countries, { ...parts, body: openElements }),
        );
        const isFault = status === 500 && text.includes('well-formed');
        return isFault ? [] : [`a message that is not well-formed: ${status}`];
      },
    },
    'json-server: names of 7,900 characters, in 5,000 records': {
      async prepare(attacker) {
        const parts = own(attacker, 'names');
        const { status, text } = await attacker.send(
          'PUT',
          '/api/sandbox/data',
          { posts: records },
          parts,
        );
        if (status !== 200) throw new Error(`The data was rejected: ${status} ${text}`);
        return parts;
      },
      async run(attacker, parts) {
        const read = (/** @type {string} */ name) =>
          attacker.ask(
            'GET',
            `/json-server/posts?${fill(encodeURIComponent(name), 7900)}=1&_limit=1`,
            parts,
          );
        /** @type {string[]} */
        const complaints = [];
        for (const name of names) {
          const { status } = await read(name);
          if (status !== 200) complaints.push(`a filter of ${name}: ${status}`);
        }
        await attacker.repeat(width, (turn) => read(names[turn % names.length] ?? ''));
        return complaints;
      },
    },
  },
  { reaches: [200, 400, 500] },
);
