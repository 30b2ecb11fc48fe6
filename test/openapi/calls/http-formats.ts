/** Calls of the formats. */

import type { CallTable } from '../caller.js';

const texts = {
  json: 'application/json',
  xml: 'application/xml',
  csv: 'text/csv',
  yaml: 'application/yaml',
  ndjson: 'application/x-ndjson',
  html: 'text/html',
  text: 'text/plain',
};
const bytes = { msgpack: 'application/vnd.msgpack', cbor: 'application/cbor' };

export const callHttpFormats: CallTable = async (caller) => {
  for (const [format, type] of Object.entries({ ...texts, ...bytes })) {
    // An example would show bytes that are not text wrongly.
    const isExample = Object.hasOwn(texts, format) ? {} : { isNoExample: true as const };
    await caller.call('getHttpFormats', `As ${format}`, {
      headers: { Accept: type },
      ...isExample,
    });
    await caller.call('getHttpFormatsByFormat', `As ${format}`, { path: { format }, ...isExample });
  }
  await caller.call('getHttpFormats', 'An unsupported format', {
    headers: { Accept: 'image/png' },
  });
  await caller.call('getHttpFormatsProblem', 'Forbidden');
};
