/** Clients and converters that read the description at run time. */

/**
 * @typedef {NodeJS.Require} Require
 * @typedef {(load: Require, spec: any) => Promise<void>} Trial
 */

/** @type {Readonly<Record<string, Trial>>} */
const trials = {
  async 'swagger-client'(load, spec) {
    const loaded = load('swagger-client');
    const SwaggerClient = loaded.default ?? loaded.SwaggerClient ?? loaded;
    const client = await SwaggerClient({ spec });
    const ask = (/** @type {string} */ operationId, /** @type {object} */ parameters) =>
      client
        .execute({ operationId, parameters })
        // Reading the description blocks this process, and the connection times out.
        .catch(() => client.execute({ operationId, parameters }));
    const events = await ask('getEvents', { limit: 4, q: 'concert' });
    check(events.body.length > 0, 'no event has the text');
    const books = await ask('getBooks', { id: '1,2,3', title_ne: ['x', 'y'], price_gte: 1 });
    check(books.body.length === 3, `${books.url} has ${books.body.length} books`);
  },
  async 'openapi-client-axios'(load, spec) {
    const { OpenAPIClientAxios } = load('openapi-client-axios');
    const client = await new OpenAPIClientAxios({ definition: spec }).init();
    const { data } = await client.getBooksById({ id: 1 });
    check(data.title === 'The Hobbit', `the title is ${data.title}`);
  },
  async 'openapi-backend'(load, spec) {
    const { OpenAPIBackend } = load('openapi-backend');
    const options = { definition: spec, quick: true, ajvOpts: { strict: false } };
    const backend = new OpenAPIBackend(options);
    await backend.init();
    const query = { id: '1,2,3', limit: '2', price_gte: '5', q: ['a', 'b'] };
    const request = { method: 'get', path: '/api/Books', query, headers: {} };
    const { errors } = backend.validateRequest(request);
    check(!errors, JSON.stringify(errors));
  },
  'openapi-to-postmanv2': (load, spec) =>
    new Promise((resolve, reject) => {
      const { convert } = load('openapi-to-postmanv2');
      const input = { type: 'json', data: spec };
      convert(input, {}, (/** @type {Error | null} */ error, /** @type {any} */ outcome) => {
        if (error || !outcome.result) reject(error ?? new Error(outcome.reason));
        else resolve();
      });
    }),
  async '@usebruno/converters'(load, spec) {
    const { items } = load('@usebruno/converters').openApiToBruno(spec);
    check(items.length >= spec.tags.length, `${items.length} folders`);
  },
};

/**
 * Returns what has failed.
 *
 * @param {Require} load
 * @param {object} spec
 */
export async function callWithoutCode(load, spec) {
  const failures = [];
  for (const [name, trial] of Object.entries(trials)) {
    const start = Date.now();
    try {
      await trial(load, structuredClone(spec));
      console.log(`${name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  return failures;
}

/**
 * @param {boolean} isRight
 * @param {string} otherwise
 */
function check(isRight, otherwise) {
  if (!isRight) throw new Error(otherwise);
}
