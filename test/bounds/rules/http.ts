/** Limits of what HTTP requires, of schemas, and of connections. */

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { parseErrorCode } from '../../../src/areas/http/connection/http2.js';
import { checkType } from '../../../src/areas/http/uploads/parse-upload.js';
import { parseCsvRow } from '../../../src/http/body/parse-csv.js';
import { scanMultipart } from '../../../src/http/body/scan-multipart.js';
import { decodeWhole } from '../../../src/http/codings/decode-whole.js';
import type { Reply, Request } from '../../../src/http/exchange.js';
import { parsePrefer } from '../../../src/http/headers/parse-prefer.js';
import { readPreferences } from '../../../src/http/negotiation/read-preferences.js';
import { sendLargeJson } from '../../../src/http/sending/large-json.js';
import { admitSchemas } from '../../../src/json-schema/admit-schemas.js';
import { CheckBudget, ChecksExceeded } from '../../../src/json-schema/budget.js';
import { hasFormat } from '../../../src/json-schema/formats.js';
import { bodyValidator } from '../../../src/kit/input/validators.js';
import { keepRequest, recordedRequests } from '../../../src/kit/recording/exchange-record.js';
import { createMemoryState } from '../../../src/state/memory/memory-state.js';
import { Pace } from '../../../src/wire/budgets/pace.js';
import { RequestBytes } from '../../../src/wire/http1/request-bytes.js';
import type { WireRequest } from '../../../src/wire/request.js';
import { minimalReplay } from './replays.js';
import { isWithout, type Rule } from './rule.js';

const mebibyte = 1024 * 1024;
const admission = 'json-schema/admit-schemas.ts';

/** Returns whether schemas have no fault of this kind. */
const admits = (schemas: object, fault: RegExp) =>
  admitSchemas(schemas as never, { maxParts: 1_000_000 }).every(({ what }) => !fault.test(what));

function nested(depth: number, inner: object): object {
  let schema = inner;
  for (let level = 1; level < depth; level++) schema = { items: schema };
  return schema;
}

/** References that lead to the next definition, so that the text is not deep. */
function referring(depth: number): object {
  const definitions = Array.from({ length: depth - 1 }, (_, place) => [
    `d${place}`,
    place === depth - 2 ? {} : { $ref: `#/$defs/d${place + 1}` },
  ]);
  return { $defs: Object.fromEntries(definitions), $ref: '#/$defs/d0' };
}

/** Codings in the order applied, and a body that they decode to `a`. */
function coded(count: number): [body: Buffer, names: string] {
  let body: Buffer = Buffer.from('a');
  for (let layer = 0; layer < count; layer++) body = gzipSync(body);
  return [body, Array(count).fill('gzip').join(', ')];
}

export const httpRules: readonly Rule[] = [
  {
    limit: 'areas/http/uploads/parse-upload.ts#maxTypeLength',
    value: 200,
    accepts(size) {
      const type = `text/plain; a=${'x'.repeat(size - 'text/plain; a='.length)}`;
      return checkType(type) === type;
    },
  },
  {
    limit: 'areas/http/connection/http2.ts#maxCode',
    value: 0xffff_ffff,
    accepts: (size) => isWithout(/^/, () => parseErrorCode('code', String(size))),
  },
  {
    limit: 'http/body/parse-csv.ts#maxSeparators',
    value: 20_000,
    accepts: (size) =>
      isWithout(/at most 20000 commas/, () => parseCsvRow(`a\n"${','.repeat(size)}"`)),
  },
  {
    limit: 'http/body/scan-multipart.ts#maxHeadBytes',
    value: 16_384,
    accepts(size) {
      const head = 'Content-Disposition: form-data; name="a"\r\nX-A: ';
      const part = `--b\r\n${head}${'x'.repeat(size - head.length)}\r\n\r\n1\r\n--b--`;
      return isWithout(/more than 16384 bytes/, () => scanMultipart(Buffer.from(part), 'b'));
    },
  },
  {
    limit: 'http/codings/decode-whole.ts#maxCodings',
    value: 3,
    accepts: (size) => String(decodeWhole(...coded(size), 1000)) === 'a',
  },
  {
    limit: 'http/headers/parse-prefer.ts#maxReadLength',
    value: 2000,
    accepts: (size) => parsePrefer(',return=minimal'.padStart(size, 'x')).return === 'minimal',
  },
  {
    limit: 'http/negotiation/read-preferences.ts#maxReadLength',
    value: 2000,
    accepts: (size) => readPreferences(',text/html'.padStart(size, 'x')).has('text/html'),
  },
  {
    limit: 'http/sending/large-json.ts#maxJsonBytes',
    value: 8 * mebibyte,
    accepts(size) {
      const reply = { alter: () => {}, raw: { destroyed: false } } as unknown as Reply;
      const text = 'x'.repeat(size - '""'.length);
      return isWithout(/more than 8388608 bytes/, () =>
        sendLargeJson({} as unknown as Request, reply, text),
      );
    },
  },
  {
    limit: `${admission}#maxCharacters`,
    value: 256 * 1024,
    accepts: (size) => admits({ a: { title: 'x'.repeat(size - 'atitle'.length) } }, /characters/),
  },
  {
    limit: `${admission}#maxDepth`,
    value: 100,
    accepts: (size) => admits({ a: referring(size) }, /nested deeper than 100 levels, references/),
  },
  {
    limit: `${admission}#maxTextDepth`,
    value: 40,
    accepts: (size) => admits({ a: nested(size, {}) }, /nested deeper than 40 levels/),
  },
  {
    limit: 'json-schema/budget.ts#maxChecks',
    value: 4_000_000,
    async accepts(size) {
      try {
        new CheckBudget(2 * size).spend(size);
        return true;
      } catch (error) {
        if (error instanceof ChecksExceeded) return false;
        throw error;
      }
    },
  },
  {
    limit: 'json-schema/formats.ts#maxLength',
    value: 1000,
    accepts: (size) => hasFormat('@b.org'.padStart(size, 'a'), 'email'),
  },
  {
    limit: 'kit/input/validators.ts#maxFaults',
    value: 1000,
    accepts: (size) =>
      bodyValidator({ items: { type: 'string' } })(Array(size).fill(1))?.length === size,
  },
  {
    limit: 'kit/recording/exchange-record.ts#maxRequests',
    value: 1000,
    async accepts(size) {
      const sandbox = createMemoryState({ clock: Date.now }).sandbox('s');
      for (let number = 0; number < size; number++) await keepRequest(sandbox, { number } as never);
      const ids: number[] = [];
      for await (const { id } of recordedRequests(sandbox)) ids.push(id);
      return ids.length === size;
    },
  },
  {
    limit: 'kit/replays/replays.ts#maxBytes',
    value: mebibyte,
    async accepts(size) {
      const head = (length: number) =>
        `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n`;
      const body = Buffer.alloc(size - head(size).length);
      const outcome = await minimalReplay((response: ServerResponse) => {
        response.sendDate = false;
        response.writeHead(200, { 'content-length': body.length, connection: 'close' });
        response.end(body);
      });
      return outcome !== 'too large';
    },
  },
  {
    limit: 'wire/budgets/pace.ts#minBytesPerSecond',
    value: 1024 * 30,
    isLeast: true,
    accepts: (size) => !new Pace(0, 0).isTooSlow(size, 30_000),
  },
  {
    limit: 'wire/http1/request-bytes.ts#maxRequestBytes',
    value: mebibyte,
    accepts(size) {
      let reserved = 0;
      const bodies = {
        reserve(bytes: number) {
          reserved += bytes;
          return true;
        },
        release(bytes: number) {
          reserved -= bytes;
        },
      };
      const request = { method: 'POST' } as WireRequest;
      new RequestBytes(request, '/', bodies as never).add(Buffer.alloc(size));
      return reserved === size;
    },
  },
];
