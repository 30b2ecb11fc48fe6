/** The script of a response, and its limits. */

import { type Static, Type } from 'typebox';
import { base64Pattern } from '#base/text/text-patterns.js';
import { basePathOf, sentPathOf } from '#http/address/sandbox-address.js';
import { strayCookieFaults } from '#http/cookies/own-cookies.js';
import type { Request } from '#http/exchange.js';
import { retryAfterWarnings } from '#http/headers/retry-after.js';
import {
  checkSettableHeaders,
  givenHeadersSchema,
  headerEncodingSchema,
  headerPairs,
} from '#http/headers/settable-headers.js';
import type { FieldFault } from '#http/http-error.js';
import { anyContent } from '#kit/describe/any-body.js';
import { integer, optionalText } from '#kit/describe/value-schemas.js';

const maxBodyBytes = 256 * 1024;
const maxChunks = 100;
/** Sum of all delays. */
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
    status: Type.Optional(integer(200, 599, 'Default: 200.')),
    headers,
    headerEncoding: Type.Optional(headerEncodingSchema),
    body: optionalText('Text; at most 256 KiB of UTF-8.'),
    bodyBase64: Type.Optional(
      Type.String({
        pattern: base64Pattern,
        description: 'Any bytes, in base64. Sent unchanged, also with Content-Encoding.',
      }),
    ),
    chunks: Type.Optional(
      Type.Array(
        Type.Object(
          {
            data: Type.String(),
            delayMs: Type.Optional(Type.Integer(delay)),
            cutAt: Type.Optional(
              integer(
                1,
                maxBodyBytes,
                'Sends the bytes before this one as a chunk, and the others as another chunk, after the same delay.',
              ),
            ),
          },
          closed,
        ),
        {
          maxItems: maxChunks,
          description:
            'Each item is a chunk on the wire, sent after its delay; an empty item only waits.',
        },
      ),
    ),
    delayMs: Type.Optional(Type.Integer({ ...delay, description: 'Delay before the head.' })),
    trailers: Type.Optional({
      ...givenHeadersSchema,
      description:
        'Like headers. Trailers that control the message are accepted as well; clients must ignore them.',
      examples: undefined,
    }),
    announceTrailers: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'Whether the header Trailer names the trailers. A Trailer in headers replaces it, and may name others.',
      }),
    ),
    informational: Type.Optional(
      Type.Array(interimSchema, {
        maxItems: 10,
        description: 'Interim responses, sent before the delay; any but 101.',
      }),
    ),
  },
  { ...closed, title: 'AnswerScript', description: 'The sum of all delays must be at most 30 s.' },
);

export const scriptedResponses = {
  200: anyContent('The scripted response.'),
  default: anyContent('The status in the script; also any error.'),
};

export type Script = Static<typeof scriptSchema>;

/** A client must not merge these into the headers (RFC 9110 section 6.5.1). */
const ignoredInTrailers =
  /^(?:age|allow|authorization|cache-control|connection|content-(?:encoding|length|range|type)|date|expires|host|keep-alive|location|(?:proxy|www)-authenticate|retry-after|set-cookie|te|trailer|transfer-encoding|upgrade|vary)$/i;

/** Returns warnings about parts of a response that clients must ignore. */
export function scriptWarnings({ headers = {}, trailers = {} }: Script): string[] {
  const ofTrailers = headerPairs(trailers)
    .filter(([name]) => ignoredInTrailers.test(name))
    .map(([name]) => `A client must ignore the trailer ${name}: it controls the message.`);
  return [...retryAfterWarnings(headers), ...ofTrailers];
}

/** Returns errors that the schema cannot express. */
export function checkScript(script: Script, request: Request): FieldFault[] {
  const statuses = (script.informational ?? []).map(({ status }) => status);
  return [
    ...scriptHeaderFaults(script, request),
    ...statuses.flatMap((status, index) => (status === 101 ? [protocolFault(index)] : [])),
    ...sizeFaults(script),
  ];
}

/** Returns the faults of all headers. Cookies may be set below the path that belongs to the caller. */
export function scriptHeaderFaults(script: Script, request: Request): FieldFault[] {
  const { headers = {}, trailers, informational = [] } = script;
  const { headerEncoding: encoding = 'latin1' } = script;
  const { deniedHeaders: denied } = request.exchanges;
  return [
    ...checkSettableHeaders(headers, 'headers', {
      ...{ denied, encoding, isCookieSettable: true, isBodyScripted: true },
      hasTrailers: trailers !== undefined,
    }),
    ...strayCookieFaults(headers, 'headers.Set-Cookie', ownPathOf(request)),
    ...checkSettableHeaders(trailers ?? {}, 'trailers', { denied, encoding, isTrailer: true }),
    ...informational.flatMap(({ headers: theirs = {} }, index) =>
      checkSettableHeaders(theirs, `informational.${index}.headers`, { denied, encoding }),
    ),
  ];
}

/** Returns the path that belongs to the caller: the sandbox prefix in the URL, or otherwise only this path. */
export function ownPathOf(request: Request): string {
  const basePath = basePathOf(request.baseUrl);
  return request.raw.sandboxAddress === undefined ? basePath + sentPathOf(request) : basePath;
}

const protocolFault = (index: number): FieldFault => ({
  field: `informational.${index}.status`,
  message: 'The status 101 would end HTTP on this connection. Use another status from 100 to 199.',
});

function sizeFaults({ body, bodyBase64, chunks, delayMs = 0 }: Script): FieldFault[] {
  const faults: FieldFault[] = [];
  const given = Object.entries({ chunks, body, bodyBase64 }).filter(
    ([, each]) => each !== undefined,
  );
  if (given.length > 1) {
    const message = 'A response has one body: send only one of body, bodyBase64 and chunks.';
    faults.push({ field: 'body', message });
  }
  let bytes = Buffer.byteLength(body ?? '') + ((bodyBase64 ?? '').length * 3) / 4;
  let totalMs = delayMs;
  for (const [index, { data, delayMs = 0, cutAt }] of (chunks ?? []).entries()) {
    const length = Buffer.byteLength(data);
    bytes += length;
    totalMs += cutAt === undefined ? delayMs : 2 * delayMs;
    if (cutAt === undefined || cutAt < length) continue;
    const message = `cutAt must be less than ${length}, the bytes of data; got ${cutAt}.`;
    faults.push({ field: `chunks.${index}.cutAt`, message });
  }
  if (bytes > maxBodyBytes) {
    const message = `The body must be at most ${maxBodyBytes} bytes.`;
    faults.push({ field: given[0]?.[0] ?? 'body', message });
  }
  if (totalMs > maxTotalMs) {
    const message = `The sum of all delays must be at most ${maxTotalMs} ms; got ${totalMs}.`;
    faults.push({ field: 'delayMs', message });
  }
  return faults;
}
