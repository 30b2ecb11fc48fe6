/**
 * Clients with invented hosts and sandboxes, for which no description, download or page has been
 * rendered before.
 */

/** @type {Readonly<Record<string, string>>} */
const texts = {
  'the description as JSON': '/openapi.json',
  'the description as YAML': '/openapi.yaml',
  'the Postman collection': '/downloads/practice-api.postman_collection.json',
  'the .http file': '/downloads/practice-api.http',
};

/** Everything that is rendered for a base URL or for a depth. */
const pages = ['/', '/docs', '/api', '/downloads', '/llms.txt', '/guides', '/guides.md'];
const guides = ['getting-started', 'auth', 'graphql', 'openapi', 'resources', 'webhooks'];
const pagePaths = [
  ...pages,
  ...guides.flatMap((name) => [`/guides/${name}`, `/guides/${name}.md`]),
];

const codings = ['br', 'gzip', 'identity'];

/** Makes a function that returns a path in new combinations. */
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
  /** @type {Set<number>} */
  const statuses = new Set();
  await attacker.repeat(8, async (turn) => {
    const { path, headers } = place(paths[turn % paths.length] ?? '/');
    const { status } = await attacker.ask('GET', path, { headers });
    statuses.add(status);
  });
  const unexpected = [...statuses].filter((status) => status !== 200 && status !== 503);
  return unexpected.map((status) => `a response had the status ${status}`);
}

/** More than fit: each response is a different text of more than a mebibyte. */
const stalledReaders = 300;

/**
 * @param {string} name
 * @param {readonly string[]} paths
 * @returns {import('../attacker.js').Attack}
 */
const requestEverywhere = (name, paths) => ({
  name: `made-up hosts request ${name}`,
  reaches: 200,
  run: (attacker) => askEverywhere(attacker, paths),
});

export const downloadAttacks = [
  ...Object.entries(texts).flatMap(([name, path]) => [
    requestEverywhere(name, [path]),
    {
      ...requestEverywhere(`${name}, which the build has not made`, [path]),
      flags: ['--subscriptions', 'off'],
    },
  ]),
  requestEverywhere('pages and guides', pagePaths),
  ...['br', 'identity'].map(
    /** @returns {import('../attacker.js').Attack} */
    (coding) => ({
      name: `made-up hosts do not read the description (${coding})`,
      reaches: 200,
      run(attacker) {
        const place = newPlaces();
        return attacker.stall(stalledReaders, () => {
          const { path, headers } = place('/openapi.json');
          const coded = { ...headers, 'Accept-Encoding': coding };
          return attacker.bytes('GET', path, { headers: coded });
        });
      },
    }),
  ),
];
