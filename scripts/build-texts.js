/**
 * Writes the description of the bundled service, compressed, into `dist/texts/`, so that services with the settings of a
 * variant need not make it. See `src/kit/built-text.ts`.
 */

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

/**
 * The texts of each group, by name and path. They have most in common, so each group is one file. The service writes YAML
 * and the other downloads from its description.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const groups = {
  'openapi.json': {
    'openapi.json': '/openapi.json',
    'openapi.all.json': '/openapi.json?formats=all',
  },
};

const { createService } = await import(new URL('index.js', dist).href);
/** @type {Map<string, [name: string, text: string][]>} */
const written = new Map(Object.keys(groups).map((group) => [group, []]));
for (const [variant, options] of Object.entries(variants)) {
  const service = await createService(options);
  try {
    for (const [group, texts] of Object.entries(groups)) {
      for (const [name, path] of Object.entries(texts)) {
        const text = await receive(`${service.url}${path}`);
        written.get(group)?.push([`${variant}/${name}`, text]);
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
