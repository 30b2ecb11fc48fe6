import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeep } from '../support/case-count.js';
import { useService } from '../support/service.js';
import { calculatorPath, envelope, operation, postSoap, versionNames } from '../support/soap.js';

const service = useService();

const secret = 'the-content-of-a-file-or-host';
const folder = mkdtempSync(join(tmpdir(), 'practice-api-soap-'));
const file = join(folder, 'secret.txt');
const fileUrl = pathToFileURL(file).href;
let host: Server;
let hostUrl: string;
let hits = 0;

beforeAll(async () => {
  writeFileSync(file, secret);
  host = createServer((_request, response) => {
    hits++;
    response.end(secret);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
});
afterAll(() => {
  host.close();
  rmSync(folder, { recursive: true });
});

const mebibyte = 1024 * 1024;
const one = envelope('1.1', operation('Add', { intA: 1, intB: 2 }));
const add = (intA: string) => envelope('1.1', operation('Add', { intA, intB: 2 }));
const withHeader = (entries: string) => envelope('1.1', '<x/>', `<e:Header>${entries}</e:Header>`);
const entities = (definitions: string, use: string) => `<!DOCTYPE a [${definitions}]>${add(use)}`;

/** Repeats `make` until the message has the maximum size of a body. */
function filled(before: string, make: (index: number) => string, after: string): string {
  const parts: string[] = [];
  let length = before.length + after.length;
  for (let index = 0; ; index++) {
    const part = make(index);
    length += part.length;
    if (length > mebibyte) return before + parts.join('') + after;
    parts.push(part);
  }
}

const listed = (count: number) =>
  Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ');

const laughs = Array.from({ length: 10 }, (_, level) =>
  level === 0 ? '<!ENTITY l0 "lol">' : `<!ENTITY l${level} "${`&l${level - 1};`.repeat(10)}">`,
).join('');

const attacks: readonly (readonly [name: string, message: () => string, reason: RegExp])[] = [
  [
    'an external entity of a file',
    () => entities(`<!ENTITY x SYSTEM "${fileUrl}">`, '&x;'),
    /document type declaration/,
  ],
  [
    'an external entity of a host',
    () => entities(`<!ENTITY x SYSTEM "${hostUrl}">`, '&x;'),
    /document type declaration/,
  ],
  [
    'an external parameter entity',
    () => entities(`<!ENTITY % x SYSTEM "${hostUrl}"> %x;`, '1'),
    /document type declaration/,
  ],
  [
    'an external document type',
    () => `<!DOCTYPE a SYSTEM "${hostUrl}">${one}`,
    /document type declaration/,
  ],
  [
    'an external document type with a public name',
    () => `<?xml version="1.0"?><!-- --><!DOCTYPE a PUBLIC "-//a//b" "${hostUrl}">${one}`,
    /document type declaration/,
  ],
  ['a billion laughs', () => entities(laughs, '&l9;'), /document type declaration/],
  [
    'a quadratic blow-up',
    () => entities(`<!ENTITY x "${'x'.repeat(100_000)}">`, '&x;'.repeat(100_000)),
    /document type declaration/,
  ],
  [
    'a document type of 1 MiB',
    () => filled('<!DOCTYPE a [', (index) => `<!ENTITY e${index} "">`, `]>${one}`),
    /document type declaration/,
  ],
  [
    'an endless document type',
    () => filled('<!DOCTYPE a [', () => '<!--<[', ''),
    /not well-formed|document type/,
  ],
  ['elements nested 100,000 deep', () => '<a>'.repeat(100_000), /nested more than 64 deep/],
  [
    'elements nested 100,000 deep in the Body',
    () => envelope('1.1', '<a>'.repeat(60_000) + '</a>'.repeat(60_000)),
    /nested more than 64 deep/,
  ],
  [
    'nested elements that each declare a prefix',
    () => filled('', (index) => `<a xmlns:n${index}="u">`, ''),
    /nested more than 64 deep/,
  ],
  [
    'an attribute of 1 MiB',
    () => filled('<a b="', () => 'x', '"/>'),
    /The attribute 'b' has more than 8192 characters/,
  ],
  [
    'a namespace of 1 MiB',
    () => filled('<a xmlns="', () => 'x', '"/>'),
    /The attribute 'xmlns' has more than 8192 characters/,
  ],
  [
    'an attribute of references',
    () => filled('<a b="', () => '&#x10ffff;', '"/>'),
    /The attribute 'b' has more than 8192 characters/,
  ],
  [
    '100,000 attributes',
    () => filled('<a ', (index) => `a${index}="" `, '/>'),
    /more than 64 attributes/,
  ],
  [
    'as many prefix declarations as possible',
    () => filled('<a ', (index) => `xmlns:a${index}="u" `, '/>'),
    /more than 64 attributes/,
  ],
  [
    'a quarter of a million elements',
    () => filled('<a>', () => '<b/>', '</a>'),
    /more than 10000 elements/,
  ],
  [
    'header entries with mustUnderstand',
    () => withHeader('<h xmlns="u" e:mustUnderstand="1"/>'.repeat(9000)),
    /must be understood/,
  ],
  ['a name of 1 MiB', () => filled('<', () => 'a', '/>'), /the root is 'a{60}…' in no namespace/],
  ['an endless tag', () => '<'.repeat(mebibyte), /not well-formed/],
  ['an attribute of line ends', () => filled('<a b="', () => '\n', '"/>'), /more than 8192/],
  [
    'elements of 64 attributes each',
    () => filled('<a>', () => `<b ${listed(64)}/>`, '</a>'),
    /more than 20000 attributes/,
  ],
  ['an endless comment', () => filled('<a><!--', () => '- ', ''), /not well-formed/],
  ['an endless CDATA section', () => filled('<a><![CDATA[', () => ']', ''), /not well-formed/],
  [
    'a processing instruction of 1 MiB',
    () => filled('<a><?b ', () => '?', '></a>'),
    /processing instruction/,
  ],
  ['endless comments', () => filled('<a>', () => '<!---->', '</a>'), /the root is 'a'/],
  ['an int of a million digits', () => add('1'.repeat(1_000_000)), /32-bit/],
  ['a million spaces and a letter', () => add(`${' '.repeat(1_000_000)}x`), /must be an integer/],
  [
    'a million spaces between digits',
    () => add(`1${' '.repeat(1_000_000)}1`),
    /must be an integer/,
  ],
  ['a million carriage returns', () => add('\r'.repeat(1_000_000)), /intA is empty/],
  ['endless references', () => add('&amp;'.repeat(200_000)), /must be an integer/],
  ['a reference to no character', () => add(`&#${'9'.repeat(1_000_000)};`), /not well-formed/],
  ['a document type inside a comment', () => '<!-- <!DOCTYPE a> -->', /not well-formed/],
  [
    'XInclude',
    () => add(`<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="${fileUrl}"/>`),
    /has elements/,
  ],
];

/**
 * Maximum-size messages with as many elements and attributes as possible: the most expensive ones
 * to parse.
 */
const wellFormed = filled(
  '<a>',
  () => `<b c="${'x'.repeat(30)}" d="&lt;${'y'.repeat(30)}">${'z'.repeat(30)}</b>`,
  '</a>',
);

/**
 * The ratio of the processor time of a rejection to parsing well-formed XML, both on client and
 * server. The minimum of several counts, since a busy machine makes single ones slow.
 */
async function costOf(message: string, reason: RegExp): Promise<number> {
  let ownMs = Number.POSITIVE_INFINITY;
  let usualMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8; round++) {
    usualMs = Math.min(usualMs, await millisecondsOf(wellFormed, /the root is 'a'/));
    ownMs = Math.min(ownMs, await millisecondsOf(message, reason));
    if (round > 0 && ownMs < usualMs) break;
  }
  return ownMs / usualMs;
}

async function millisecondsOf(message: string, reason: RegExp): Promise<number> {
  const before = process.cpuUsage();
  const { fault, text } = await postSoap(service, calculatorPath, '1.1', message);
  const { user, system } = process.cpuUsage(before);
  expect(fault?.code).toMatch(/^(?:Client|VersionMismatch|MustUnderstand)$/);
  expect(fault?.reason).toMatch(reason);
  expect(text).not.toContain(secret);
  expect(text.length).toBeLessThan(5000);
  return (user + system) / 1000;
}

describe('an XML attack is rejected, and reaches no file and no host:', () => {
  test.each(attacks)('%s', async (_name, makeMessage, reason) => {
    const message = makeMessage();
    expect(message.length).toBeLessThanOrEqual(mebibyte);
    await millisecondsOf(message, reason);
    expect(hits).toBe(0);
  });
});

describe.runIf(isDeep)('an XML attack costs at most twice a well-formed message:', () => {
  test.each(attacks)('%s', async (_name, makeMessage, reason) => {
    expect(await costOf(makeMessage(), reason)).toBeLessThan(2);
  });
});

test.each(versionNames)(
  'schemas referenced by a SOAP %s message are not fetched',
  async (version) => {
    const message = envelope(version, operation('Add', { intA: 1, intB: 2 })).replace(
      '<e:Body',
      `<e:Body xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="http://tempuri.org/ ${hostUrl}"`,
    );
    const { fault } = await postSoap(service, calculatorPath, version, message);
    expect(fault).toBeUndefined();
    expect(hits).toBe(0);
  },
);

test('names of Object.prototype members work like any other', async () => {
  const message = envelope(
    '1.1',
    '<Add xmlns="http://tempuri.org/" xmlns:__proto__="u" __proto__:a="1" __proto__="2" constructor="3"><intA>1</intA><intB>2</intB><__proto__>3</__proto__></Add>',
  );
  const { fault } = await postSoap(service, calculatorPath, '1.1', message);
  expect(fault?.reason).toMatch(/^Add: __proto__ is not a parameter of Add/);
});
