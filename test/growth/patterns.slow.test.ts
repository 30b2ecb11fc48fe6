/**
 * Every regular expression in `src/` costs time that grows linearly with its text, whatever the text: each is measured with
 * texts that are made from its parts. Exceptions are listed, with what limits their text.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, test } from 'vitest';
import { everyThird } from '../support/every-third.js';
import { growthOf, maxExponent } from '../support/growth.js';
import { useService } from '../support/service.js';
import { hostileTexts, isUnbounded, type MakeText } from './pattern-shapes.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

const service = useService();

interface Found {
  readonly file: string;
  readonly pattern: RegExp;
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

const found: readonly Found[] = files.flatMap((file) => {
  const patterns: Found[] = [];
  const text = readFileSync(source + file, 'utf8');
  if (!text.includes('/')) return [];
  JSON.stringify(parseAst(text, { lang: 'ts' }), (_name, value) => {
    const { regex } = value ?? {};
    if (regex) patterns.push({ file, pattern: new RegExp(regex.pattern, regex.flags) });
    return typeof value === 'bigint' ? null : value;
  });
  return patterns;
});

/** The limit of a head, in characters. */
const largest = 16 * 1024;
/** Linear work on {@link largest} characters needs much less. */
const suspiciousMs = 4;

function costOf(pattern: RegExp, text: string): number {
  const before = process.cpuUsage();
  text.replace(pattern, '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Small steps first, since exponential growth would never end at the next large one. */
const sizes = [20, 26, 32, 128, 512, 1024, 2048, 4096, 8192, largest];

/** Returns the first size at which a text costs suspiciously much; `undefined` if none does. */
function suspiciousSize(pattern: RegExp, make: MakeText): number | undefined {
  // A disturbance does not return.
  return sizes.find((size) => {
    const text = make(size);
    return costOf(pattern, text) > suspiciousMs && costOf(pattern, text) > suspiciousMs;
  });
}

/** Returns the beginning of a text whose cost grows too fast; `undefined` if there is none. */
async function slowTextOf(pattern: RegExp): Promise<string | undefined> {
  const run = (text: string) => text.replace(pattern, '');
  for (const make of hostileTexts(pattern)) {
    const size = suspiciousSize(pattern, make);
    if (size === undefined) continue;
    if ((await growthOf({ make, run, largest: size })) > maxExponent) return make(24);
  }
  return undefined;
}

/** Files with patterns that are slow for some texts, and why no caller can send one. */
const limited: Readonly<Record<string, string>> = {
  'areas/methods/find-inexact-numbers.ts': 'the text is valid JSON, which ends every string',
  'areas/signatures/parse-signatures.ts': '8,192 characters of a valid dictionary (RFC 8941)',
  'areas/soap/security/check-times.ts': '35 characters',
  'config/parse-settings.ts': 'settings of the operator',
  'http/headers/parse-prefer.ts': '2,000 characters',
  'http/negotiation/read-preferences.ts': '2,000 characters',
  'json-schema/pattern.ts': 'the patterns that callers bring have a limit of their own',
  'kit/input/describe-schema.ts': 'schemas of endpoints',
  'program/map-stack-traces.ts': 'places in the files of the program',
  'site/highlight-code.ts': 'examples of the service',
  'wire/websocket/describe-frame-fault.ts': 'messages of the package ws',
};

/** Patterns that are assembled, by file, and what they match. */
const assembled: Readonly<Record<string, string>> = {
  'app/wire-service.ts': 'targets, from their beginning',
  'areas/auth/digest/collection.ts': 'a script for Postman',
  'areas/data/json-server/rewrite-routes.ts': 'paths, by the routes of the operator',
  'areas/deliveries/model/subscriptions.ts': 'types of events, one segment at a time',
  'areas/graphql/documents/scan-document.ts': 'documents, one token at a time',
  'areas/mcp/judge/message-rules.ts': 'names in _meta, see predicates.slow.test.ts',
  'areas/practice-apis/dialects.ts': 'unknown paths, from their beginning',
  'areas/practice-apis/postman-echo/times.ts': 'a format, one token at a time',
  'areas/oidc/model/client-metadata.ts': 'one kind of character, from the beginning',
  'http/xml/text.ts': 'one character',
  'base/normalize-host.ts': 'hosts, see headers.slow.test.ts',
  'base/text/stream-safe.ts': 'runs of 30 marks',
  'base/text/text-patterns.ts': 'one character',
  'http/cookies/parse-cookie-date.ts': 'one month',
  'http/headers/http-date.ts': 'forms of a fixed length',
  'json-schema/pattern.ts': 'checked, then run by a linear engine',
  'site/guides/fill-in.ts': 'examples of the guides',
};

const unbounded = found.filter(({ pattern }) => isUnbounded(pattern));

describe('hostileTexts', () => {
  test.each([
    /\.\.\.\s*(?!on\b)\w+[\s\S]*\.\.\.\s*(?!on\b)\w+/,
    /(query|mutation)\s+\w+[\s\S]*(query|mutation)\s+\w+/,
    /<countryCode(?:\s[^>]*)?>/,
    /\/+$/,
    /^(?:a+)+$/,
    /\[["']?([^\]"']*)["']?\]/g,
  ])('finds a slow text for %s', async (pattern) => {
    expect(await slowTextOf(pattern)).toBeDefined();
  });

  test.each([/^\/+$/, /^[a-z]+:[^:]*$/, /<countryCode(?:\s[^<>]*)?>/, /"[^"]*"/g])(
    'finds none for %s',
    async (pattern) => {
      expect(await slowTextOf(pattern)).toBeUndefined();
    },
  );
});

test('every pattern of the sources is found', () => {
  expect(found.length).toBeGreaterThan(500);
  expect(unbounded.length).toBeGreaterThan(200);
});

const byFile = new Map(
  [...new Set(unbounded.map(({ file }) => file))].map((file) => [
    file,
    unbounded.filter((each) => each.file === file),
  ]),
);

test.each(everyThird([...byFile].filter(([file]) => !Object.hasOwn(limited, file))))(
  'patterns of %s',
  async (_file, patterns) => {
    for (const { pattern } of patterns) {
      expect(await slowTextOf(pattern), String(pattern)).toBeUndefined();
    }
  },
);

test.each(everyThird(Object.keys(limited)))('%s needs its limit', async (file) => {
  const slow: (string | undefined)[] = [];
  for (const { pattern } of byFile.get(file) ?? []) slow.push(await slowTextOf(pattern));
  expect(slow.some((each) => each !== undefined)).toBe(true);
});

/** Patterns of schemas of endpoints, which are strings in the sources. */
test('patterns of schemas', async () => {
  const { json } = await service.send('GET /openapi.json?formats=all');
  const patterns = new Set<string>();
  JSON.stringify(json, (name, value) => {
    if (name === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(40);
  for (const source of patterns) {
    const pattern = new RegExp(source, 'u');
    if (isUnbounded(pattern)) expect(await slowTextOf(pattern), source).toBeUndefined();
  }
});

test('every assembled pattern is known', () => {
  const having = files.filter((file) => /\bRegExp\(/.test(readFileSync(source + file, 'utf8')));
  expect(having.sort()).toEqual(Object.keys(assembled).sort());
});
