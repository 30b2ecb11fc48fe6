/** Responses with a chosen status, headers or coding, and small values and documents. */

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { Type } from 'typebox';
import { trimEndOf } from '#base/text/trim-characters.js';
import { type Coding, encodeWhole } from '#http/codings/encode-body.js';
import { ownHeaders, strayCookieFaults } from '#http/cookies/own-cookies.js';
import { addGivenHeaders } from '#http/headers/add-given-headers.js';
import { checkSettableHeaders, headersByName } from '#http/headers/settable-headers.js';
import { rejectFaults, rejectField } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { allowedMethods, noSniff } from '#http/schemas/header-schemas.js';
import { streamOf } from '#http/sending/stream-of.js';
import { chooseStatus, parseStatusChoices } from '#http/status/status-choice.js';
import { setStatus } from '#http/status/status-companions.js';
import { anyBodies, anyQuery } from '#kit/describe/any-body.js';
import { nullableText, text } from '#kit/describe/value-schemas.js';
import { secret, unvalidated } from '#kit/endpoint.js';
import { describeHead, describing } from './echo.js';
import { anyStatus, cachedForAnHour, count, document, html, ownPath, spec } from './spec.js';
import { sendJson, writeJson } from './write-json.js';

export const uuid = spec({
  summary: 'Get a random UUID',
  responses: { 200: Type.Object({ uuid: text('Of version 4.') }) },
  handle: (_request, reply) => sendJson(reply, { uuid: randomUUID() }),
});

export const userAgent = spec({
  summary: 'Get the User-Agent',
  responses: { 200: Type.Object({ 'user-agent': nullableText('Null if the request has none.') }) },
  handle: ({ headers }, reply) => sendJson(reply, { 'user-agent': headers['user-agent'] ?? null }),
});

const isolated = {
  'Content-Security-Policy': text('What a browser lets the page do: nothing.'),
  ...noSniff,
};

/** Accepts both alphabets of RFC 4648, with or without padding. */
export const base64 = spec({
  summary: 'Decode base64',
  params: { value: secret(text('Of UTF-8 text, in either alphabet.')) },
  responses: document('text/html'),
  responseHeaders: { 200: isolated },
  handle(request, reply) {
    const { value } = request.params;
    const bytes = Buffer.from(value, 'base64url');
    const standard = trimEndOf(value.replaceAll('-', '+').replaceAll('_', '/'), '=');
    if (trimEndOf(bytes.toString('base64'), '=') !== standard || !isUtf8(bytes)) {
      const message =
        'The path must be the base64 of UTF-8 text, such as SFRUUEJJTiBpcyBhd2Vzb21l.';
      rejectField('value', message);
    }
    return reply.headers(isolatingHeaders).type(html).send(bytes);
  },
});

/** Test suites of clients look for this word. */
const teapot = `
    -=[ teapot ]=-

        ___
     __/___\\__
  _ /         \\ __
 | |           |/ /
  \\|           |/
    \\_________/
`;

/** Statuses without Location, because clients follow every Location. */
const leadsNowhere = new Set([300, 306, ...Array.from({ length: 91 }, (_, index) => 309 + index)]);

export const status = spec({
  summary: 'Get the requested status',
  description:
    'A status from 200 to 599, or several separated by commas, of which one is chosen at random; each may have a colon and a weight. The response has the headers that the status requires. Only 418 has a body.',
  params: { codes: Type.String() },
  responses: anyStatus('The status in the path; also any error.'),
  handle(request, reply) {
    const choices = parseStatusChoices(request.params.codes);
    if (choices === undefined) {
      const message =
        'The path must be a status from 200 to 599, or up to 20 separated by commas, each with an optional colon and weight.';
      rejectField('codes', message);
    }
    const status = chooseStatus(choices, Math.random());
    const location = leadsNowhere.has(status) ? undefined : ownPath(request, '/redirect/1');
    setStatus(reply, status, { location, allow: METHODS, size: 0 });
    if (status !== 418) return reply.send();
    reply.header('x-more-info', 'https://www.rfc-editor.org/rfc/rfc2324');
    return reply.type(html).send(Buffer.from(teapot));
  },
});

export const responseHeaders = spec({
  summary: 'Get the headers in the query',
  description:
    'The body has all headers of the response. The same headers are denied as in scripted responses, and Content-Encoding, because the body is not yours.',
  query: unvalidated(anyQuery),
  ...anyBodies,
  responses: anyStatus('200 with these headers; also any error.'),
  handle(request, reply) {
    const query = Object.entries(request.query as Readonly<Record<string, string | string[]>>);
    const pairs = query.flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value] as const),
    );
    const ownPathHere = ownPath(request, '');
    const { deniedHeaders: denied } = request.exchanges;
    const faults = checkSettableHeaders(pairs, 'headers', { denied, isCookieSettable: true });
    rejectFaults([
      ...faults.map(({ field, message }) => {
        const [name = field] = pairs[Number(field.split('.')[1])] ?? [];
        return { field: name, message };
      }),
      ...strayCookieFaults(pairs, 'Set-Cookie', ownPathHere),
    ]);
    const given = ownHeaders(pairs, ownPathHere);
    const names = new Map(pairs.map(([name]) => [name.toLowerCase(), name]));
    const shown = new Map<string, string | string[]>([['Content-Type', 'application/json']]);
    for (const [lower, value] of headersByName(given)) {
      shown.set(lower === 'content-type' ? 'Content-Type' : (names.get(lower) ?? lower), value);
    }
    addGivenHeaders(reply.type('application/json'), given);
    reply.headers(isolatingHeaders);
    return reply.send(withOwnLength(Object.fromEntries(shown)));
  },
});

/** The body contains its own length. Adding digits can make it longer once more. */
function withOwnLength(shown: object): Buffer {
  let length = 0;
  for (;;) {
    const body = Buffer.from(writeJson({ ...shown, 'Content-Length': String(length) }));
    if (body.length === length) return body;
    length = body.length;
  }
}

/** Uses the coding even if the client does not accept it; `mark` is the member that names the coding. */
export const encoded = (coding: Coding, mark: string) =>
  spec({
    summary: `Get a response in the coding ${coding}`,
    responses: describing(['headers', 'method', 'origin'], { [mark]: Type.Literal(true) }),
    responseHeaders: { 200: { 'Content-Encoding': Type.Literal(coding) } },
    handle(request, reply) {
      const described = describeHead(request, ['headers', 'method', 'origin']);
      const body = Buffer.from(writeJson({ ...described, [mark]: true }));
      reply.header('content-type', 'application/json').header('content-encoding', coding);
      if (request.method === 'HEAD') return streamOf(request, () => []);
      return reply.send(encodeWhole(body, coding));
    },
  });

export const allow = (methods: readonly string[]) =>
  spec({
    summary: 'List the methods of the path',
    responses: document('text/html', 'Empty: the header Allow has the methods.'),
    responseHeaders: { 200: allowedMethods },
    handle: (_request, reply) => reply.header('allow', methods.join(', ')).type(html).send(''),
  });

/** Test suites of clients compare these values: they are part of httpbin's interface. */
const slideshow = {
  author: 'Yours Truly',
  date: 'date of publication',
  slides: [
    { title: 'Wake up to WonderWidgets!', type: 'all' },
    {
      items: ['Why <em>WonderWidgets</em> are great', 'Who <em>buys</em> WonderWidgets'],
      title: 'Overview',
      type: 'all',
    },
  ],
  title: 'Sample Slide Show',
};

export const jsonDocument = spec({
  summary: 'Get a small JSON document',
  responses: { 200: Type.Object({ slideshow: Type.Unknown() }) },
  handle: (_request, reply) => sendJson(reply.headers(cachedForAnHour), { slideshow }),
});

const maxLinks = 200;

/** Links to the other pages; the current page's number is not a link. */
export const links = spec({
  summary: 'Get a page of links',
  params: { n: count('Number of links, 1 to 200.'), offset: count('The number of this page.') },
  responses: document('text/html'),
  handle(request, reply) {
    const { n, offset } = request.params;
    const length = Math.min(Math.max(n, 1), maxLinks);
    const all = Array.from({ length }, (_, index) =>
      index === offset
        ? String(index)
        : `<a href="${ownPath(request, `/links/${length}/${index}`)}">${index}</a>`,
    );
    const body = `<!doctype html>\n<html lang="en"><head><title>Links</title></head><body>${all.join(' ')}</body></html>\n`;
    return reply.type(html).send(body);
  },
});
