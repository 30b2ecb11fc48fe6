/** Clients that make up hosts and sandboxes, so that no description, download or page was made for them before. */

import { stall } from './readers.js';

/** @type {Readonly<Record<string, string>>} */
const texts = {
  'the description as JSON': '/openapi.json',
  'the description as YAML': '/openapi.yaml',
  'the Postman collection': '/downloads/practice-api.postman_collection.json',
  'the .http file': '/downloads/practice-api.http',
};

/** All that are rendered for a base URL or for a depth. */
const pages = ['/', '/docs', '/api', '/downloads', '/llms.txt', '/guides', '/guides.md'];
const guides = ['getting-started', 'auth', 'graphql', 'openapi', 'resources', 'webhooks'];
const pagePaths = [
  ...pages,
  ...guides.flatMap((name) => [`/guides/${name}`, `/guides/${name}.md`]),
];

const codings = ['br', 'gzip', 'identity'];

/** One of each combination in turn, none of which occurred before. */
function newPlaces() {
  let turn = 0;
  return (/** @type {string} */ path) => {
    turn++;
    const headers = {
      Host: `host-${turn}.example:${1 + (turn % 65_535)}`,
      'Accept-Encoding': codings[turn % codings.length] ?? '',
      Accept: turn % 2 === 0 ? 'text/html' : '*/*',
    };
    return { path: turn % 4 < 2 ? path : `/s/sandbox-${turn}${path}`, headers };
  };
}

/**
 * @param {import('../attacker.js').Attacker} attacker
 * @param {readonly string[]} paths
 */
async function askEverywhere(attacker, paths) {
  const place = newPlaces();
  let turn = 0;
  /** @type {Set<number>} */
  const statuses = new Set();
  await attacker.repeat(8, async () => {
    const { path, headers } = place(paths[turn++ % paths.length] ?? '/');
    const { status } = await attacker.ask('GET', path, { headers });
    statuses.add(status);
  });
  const unexpected = [...statuses].filter((status) => status !== 200 && status !== 503);
  return unexpected.map((status) => `a response had the status ${status}`);
}

/** More than there is room for: each response is another text of more than a mebibyte. */
const stalledReaders = 300;

/** @type {readonly import('../attacker.js').Attack[]} */
export const downloadAttacks = [
  ...Object.entries(texts).flatMap(([name, path]) => [
    {
      name: `made-up hosts request ${name}`,
      run: (/** @type {import('../attacker.js').Attacker} */ attacker) =>
        askEverywhere(attacker, [path]),
    },
    {
      name: `made-up hosts request ${name}, which the build has not made`,
      flags: ['--subscriptions', 'off'],
      run: (/** @type {import('../attacker.js').Attacker} */ attacker) =>
        askEverywhere(attacker, [path]),
    },
  ]),
  {
    name: 'made-up hosts request pages and guides',
    run: (attacker) => askEverywhere(attacker, pagePaths),
  },
  ...['br', 'identity'].map((coding) => ({
    name: `made-up hosts do not read the description (${coding})`,
    run: async (/** @type {import('../attacker.js').Attacker} */ attacker) => {
      const place = newPlaces();
      await stall(attacker, stalledReaders, () => {
        const { path, headers } = place('/openapi.json');
        return attacker.bytes('GET', path, { headers: { ...headers, 'Accept-Encoding': coding } });
      });
    },
  })),
];
