/**
 * Writes the description and the downloads of the bundled service, compressed, into `dist/texts/`,
 * so that services with the settings of a variant need not make them. See `src/kit/built-text.ts`.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const to = new URL('texts/', dist);

/**
 * By the names in `src/config/variant.ts`. Services in a test have no metrics, so they make their
 * texts.
 */
const variants = /** @type {const} */ ({
  default: { metrics: 'on' },
  'accounts-required': { metrics: 'on', accounts: 'required' },
});

/**
 * `placeholderHost` in src/http/caching/addressed-content.ts, which the texts contain until they
 * are sent.
 */
const placeholderHost = 'base-url.invalid';

/** Occurs in no text. */
const sandbox = 'sandbox-of-the-build';

const downloads = ['practice-api.postman_collection.json', 'practice-api.http'];

/** @type {readonly (readonly [name: string, path: string])[]} */
const texts = [
  ...['json', 'yaml'].flatMap(
    (format) =>
      /** @type {const} */ ([
        [`openapi.${format}`, `/openapi.${format}`],
        [`openapi.all.${format}`, `/openapi.${format}?formats=all`],
      ]),
  ),
  ...downloads.flatMap((name) => {
    const path = `/downloads/${name}`;
    return /** @type {const} */ ([
      [name, path],
      [`sandbox/${name}`, `/s/${sandbox}${path}`],
    ]);
  }),
];

rmSync(to, { recursive: true, force: true });
const { createService } = await import(new URL('index.js', dist).href);
for (const [variant, options] of Object.entries(variants)) {
  const service = await createService(options);
  try {
    for (const [name, path] of texts) {
      const text = await receive(`${service.url}${path}`);
      write(`${variant}/${name}.br`, text.replaceAll(`/s/${sandbox}`, ''));
    }
  } finally {
    await service.close();
  }
}

/**
 * @param {string} url
 * @returns {Promise<string>}
 */
function receive(url) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { Host: placeholderHost } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`GET ${url}: ${response.statusCode} ${text}`));
      });
      response.on('error', reject);
    }).on('error', reject);
  });
}

/**
 * @param {string} name
 * @param {string} text
 */
function write(name, text) {
  const file = new URL(name, to);
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  // Higher qualities need twenty times as long for a tenth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  writeFileSync(file, brotliCompressSync(text, { params }));
}
