/** The script of a response, and its limits. */

import { type Static, Type } from 'typebox';
import { strayCookieFaults } from '../../../http/cookies/own-cookies.js';
import {
  checkSettableHeaders,
  givenHeadersSchema,
  headerPairs,
} from '../../../http/headers/settable-headers.js';
import type { FieldFault } from '../../../http/http-error.js';
import { anyContent } from '../../../kit/describe/any-body.js';
import { integer, optionalText } from '../../../kit/describe/value-schemas.js';

const maxBodyBytes = 256 * 1024;
const maxChunks = 100;
/** Of all delays together. */
const maxTotalMs = 30_000;

const delay = { minimum: 0, maximum: maxTotalMs };
const headers = Type.Optional(givenHeadersSchema);
const closed = { additionalProperties: false };

const interimSchema = Type.Object(
  { status: Type.Integer({ minimum: 100, maximum: 199 }), headers },
  closed,
);

export const scriptSchema = Type.Object(
  {
    status: Type.Optional(integer(200, 599, '200 without it.')),
    headers,
    body: optionalText('Text; at most 256 KiB of UTF-8.'),
    bodyBase64: Type.Optional(
      Type.String({
        pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
        description: 'Any bytes, in base64.',
      }),
    ),
    chunks: Type.Optional(
      Type.Array(
        Type.Object({ data: Type.String(), delayMs: Type.Optional(Type.Integer(delay)) }, closed),
        {
          maxItems: maxChunks,
          description:
            'Each is a chunk on the wire, sent after its delay; one of nothing just waits.',
        },
      ),
    ),
    delayMs: Type.Optional(Type.Integer({ ...delay, description: 'Before the head.' })),
    trailers: headers,
    informational: Type.Optional(
      Type.Array(interimSchema, {
        maxItems: 10,
        description: 'Interim responses, before the delay; any but 101.',
      }),
    ),
  },
  { ...closed, title: 'AnswerScript', description: 'All delays together must be at most 30 s.' },
);

export const scriptedResponses = {
  200: anyContent('What the script says.'),
  default: anyContent('Whatever status the script has; and any failure.'),
};

export type Script = Static<typeof scriptSchema>;

/** Headers that control the message cannot follow it (RFC 9110 section 6.5.1). */
const notInTrailers =
  /^(?:age|allow|cache-control|content-(?:encoding|range|type)|expires|location|retry-after|vary|www-authenticate|proxy-authenticate)$/i;

/** Returns the faults that the schema cannot express. Cookies may be set below `ownPath`. */
export function checkScript(script: Script, ownPath: string): FieldFault[] {
  const { headers = {}, trailers = {}, informational = [] } = script;
  return [
    ...checkSettableHeaders(headers, 'headers', { isCookieSettable: true }),
    ...strayCookieFaults(headers, 'headers.Set-Cookie', ownPath),
    ...checkSettableHeaders(trailers, 'trailers'),
    ...headerPairs(trailers)
      .filter(([name]) => notInTrailers.test(name))
      .map(([name]) => ({
        field: `trailers.${name}`,
        message: `The header ${name} controls the message, so it cannot follow it as a trailer.`,
      })),
    ...informational.flatMap(({ status, headers: theirs = {} }, index) => [
      ...(status === 101 ? [protocolFault(index)] : []),
      ...checkSettableHeaders(theirs, `informational.${index}.headers`),
    ]),
    ...sizeFaults(script),
  ];
}

const protocolFault = (index: number): FieldFault => ({
  field: `informational.${index}.status`,
  message:
    'The status 101 would end HTTP on this connection. Any other from 100 to 199 can be sent.',
});

function sizeFaults({ body, bodyBase64, chunks, delayMs = 0 }: Script): FieldFault[] {
  const faults: FieldFault[] = [];
  const given = Object.entries({ chunks, body, bodyBase64 }).filter(
    ([, each]) => each !== undefined,
  );
  if (given.length > 1) {
    const message = 'A response has one body: give body, bodyBase64 or chunks.';
    faults.push({ field: 'body', message });
  }
  let bytes = Buffer.byteLength(body ?? '') + ((bodyBase64 ?? '').length * 3) / 4;
  let totalMs = delayMs;
  for (const chunk of chunks ?? []) {
    bytes += Buffer.byteLength(chunk.data);
    totalMs += chunk.delayMs ?? 0;
  }
  if (bytes > maxBodyBytes) {
    const message = `The body must be at most ${maxBodyBytes} bytes.`;
    faults.push({ field: given[0]?.[0] ?? 'body', message });
  }
  if (totalMs > maxTotalMs) {
    const message = `All delays together must be at most ${maxTotalMs} ms; got ${totalMs}.`;
    faults.push({ field: 'delayMs', message });
  }
  return faults;
}
