/** Downloads with the credentials of a service whose settings replace the default ones. */

import type { Premises } from '../../kit/infrastructure.js';
import { gatherCollections } from './gather-collections.js';
import { fileVariable } from './http-file.js';
import { postmanVariable } from './postman-collection.js';
import type { DownloadFormat } from './write-download.js';

/** How a variable is written where a file defines it. */
const definitions: Readonly<Record<DownloadFormat, (name: string, value: string) => string>> = {
  postman: (name, value) => JSON.stringify(postmanVariable(name, value)),
  http: (name, value) => `\n${fileVariable(name, value)}\n`,
};

/** `written` is the file with the default credentials. */
export function putCredentials(
  format: DownloadFormat,
  written: Buffer,
  { areas, config, defaults }: Pick<Premises, 'areas' | 'config' | 'defaults'>,
): Buffer {
  // GET /api/auth tells no stranger what is in force where accounts are required.
  if (config.accounts === 'required') return written;
  const { variables } = gatherCollections(areas, false);
  const own = variables(config);
  const changed = Object.entries(variables(defaults)).filter(
    ([name, value]) => own[name] !== value,
  );
  if (changed.length === 0) return written;
  const define = definitions[format];
  const text = changed.reduce(
    (file, [name, value]) =>
      file.replace(define(name, value), () => define(name, own[name] ?? value)),
    written.toString(),
  );
  return Buffer.from(text);
}
