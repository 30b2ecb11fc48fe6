/** A response as a caller writes it: the script, and what may not be in it. */

import { type Static, Type } from 'typebox';
import { strayCookieFaults } from '../../../http/cookies/own-cookies.js';
import {
  checkSettableHeaders,
  givenHeadersSchema,
  headerPairs,
} from '../../../http/headers/settable-headers.js';
import type { FieldFault } from '../../../http/http-error.js';

export const maxScriptBodyBytes = 256 * 1024;
const maxChunks = 100;
/** Of all delays together. */
export const maxScriptMs = 30_000;

const delaySchema = Type.Integer({ minimum: 0, maximum: maxScriptMs });
const optional = { additionalProperties: false };

export const scriptSchema = Type.Object(
  {
    status: Type.Optional(
      Type.Integer({ minimum: 200, maximum: 599, description: '200 without it.' }),
    ),
    headers: Type.Optional(givenHeadersSchema),
    body: Type.Optional(Type.String({ description: 'Text; at most 256 KiB of UTF-8.' })),
    bodyBase64: Type.Optional(
      Type.String({
        pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
        description: 'Any bytes, in base64.',
      }),
    ),
    chunks: Type.Optional(
      Type.Array(
        Type.Object(
          { data: Type.String(), delayMs: Type.Optional(delaySchema) },
          { additionalProperties: false },
        ),
        {
          maxItems: maxChunks,
          description:
            'Each is a chunk on the wire, sent after its delay; one of nothing just waits.',
        },
      ),
    ),
    delayMs: Type.Optional(
      Type.Integer({ minimum: 0, maximum: maxScriptMs, description: 'Before the head.' }),
    ),
    trailers: Type.Optional(givenHeadersSchema),
    informational: Type.Optional(
      Type.Array(
        Type.Object(
          {
            status: Type.Integer({ minimum: 100, maximum: 199 }),
            headers: Type.Optional(givenHeadersSchema),
          },
          optional,
        ),
        { maxItems: 10, description: 'Interim responses, before the delay; any but 101.' },
      ),
    ),
  },
  { ...optional, title: 'AnswerScript', description: 'All delays together must be at most 30 s.' },
);

export type Script = Static<typeof scriptSchema>;

/** What decides about the message cannot come after it (RFC 9110 section 6.5.1). */
const notInTrailers =
  /^(?:age|allow|cache-control|content-(?:encoding|range|type)|expires|location|retry-after|vary|www-authenticate|proxy-authenticate)$/i;

/**
 * What may not be in a script, beyond what the schema says; empty when all may. `ownPath` is the address below
 * which cookies may be set.
 */
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
      ...(status === 101
        ? [
            {
              field: `informational.${index}.status`,
              message:
                'The status 101 would end HTTP on this connection. Any other from 100 to 199 can be sent.',
            },
          ]
        : []),
      ...checkSettableHeaders(theirs, `informational.${index}.headers`),
    ]),
    ...sizeFaults(script),
  ];
}

function sizeFaults({ body, bodyBase64, chunks, delayMs = 0 }: Script): FieldFault[] {
  const faults: FieldFault[] = [];
  const kinds = [body, bodyBase64, chunks].filter((each) => each !== undefined);
  if (kinds.length > 1) {
    const message = 'A response has one body: give body, bodyBase64 or chunks.';
    faults.push({ field: 'body', message });
  }
  const bytes =
    Buffer.byteLength(body ?? '') +
    ((bodyBase64 ?? '').length * 3) / 4 +
    (chunks ?? []).reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  if (bytes > maxScriptBodyBytes) {
    const message = `The body must be at most ${maxScriptBodyBytes} bytes.`;
    faults.push({ field: chunks ? 'chunks' : body === undefined ? 'bodyBase64' : 'body', message });
  }
  const totalMs = (chunks ?? []).reduce((sum, each) => sum + (each.delayMs ?? 0), delayMs);
  if (totalMs > maxScriptMs) {
    const message = `All delays together must be at most ${maxScriptMs} ms; got ${totalMs}.`;
    faults.push({ field: 'delayMs', message });
  }
  return faults;
}
