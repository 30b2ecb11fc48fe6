/**
 * Writes the description and the downloads of the bundled service, compressed, into `dist/texts/`,
 * so that services with the settings of a variant need not make them. See `src/kit/built-text.ts`.
 */

import { rmSync } from 'node:fs';
import { get } from 'node:http';
import { writeGroup } from './write-group.js';

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

/**
 * The texts of each group, by name and path. They have most in common, so each group is one file.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const groups = Object.fromEntries([
  // The service writes YAML from JSON.
  [
    'openapi.json',
    {
      'openapi.json': '/openapi.json',
      'openapi.all.json': '/openapi.json?formats=all',
    },
  ],
  ...downloads.map((name) => [
    name,
    {
      [name]: `/downloads/${name}`,
      [`sandbox/${name}`]: `/s/${sandbox}/downloads/${name}`,
    },
  ]),
]);

rmSync(to, { recursive: true, force: true });
const { createService } = await import(new URL('index.js', dist).href);
/** @type {Map<string, [name: string, text: string][]>} */
const written = new Map(Object.keys(groups).map((group) => [group, []]));
for (const [variant, options] of Object.entries(variants)) {
  const service = await createService(options);
  try {
    for (const [group, texts] of Object.entries(groups)) {
      for (const [name, path] of Object.entries(texts)) {
        const text = await receive(`${service.url}${path}`);
        written.get(group)?.push([`${variant}/${name}`, text.replaceAll(`/s/${sandbox}`, '')]);
      }
    }
  } finally {
    await service.close();
  }
}
for (const [group, texts] of written) writeGroup(new URL(`${group}.br`, to), texts);

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
