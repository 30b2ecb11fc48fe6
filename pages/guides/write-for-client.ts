/** Writes highlighted code that sends the request of an example. */

import { highlightCode } from '../../src/site/highlight-code.js';
import { element } from '../shared/element.js';
import { callOfExample } from './call-of-example.js';
import { clients } from './clients.js';
import type { Example } from './example.js';

/** Returns `undefined` if the client would send something else than curl. */
export function writeForClient(
  name: string,
  example: Example,
  printed: string,
  baseUrl: string,
): readonly (Node | string)[] | undefined {
  const client = clients[name];
  const call = callOfExample(example, printed, baseUrl);
  if (client === undefined || call === undefined || !client.isExact(call)) return undefined;
  return highlightCode(client.write(call), client.language).map(({ text, kind }) =>
    kind === undefined ? text : element('i', { class: kind }, text),
  );
}
