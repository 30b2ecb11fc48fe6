/**
 * Lists the readers of targets and headers as sent, which may contain an address of a pupil or an
 * account. Nothing that they read may become visible to others without `redact`.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../..');

const reads = /\b(?:sentTargetOf|sentPathOf|sentTarget|rawHeaders|rawTrailers)\b/;

type Use =
  /** Others see it, without keys. */
  | 'redacts'
  /** Only the caller gets it, in the response. */
  | 'responds'
  /** Is compared, verified or routed, and then dropped. */
  | 'compares'
  /** Passes it on to the files listed here. */
  | 'provides';

const readers: Readonly<Record<string, Use>> = {
  'app/failures.ts': 'redacts',
  'areas/bins/captures.ts': 'redacts',
  'areas/bins/capturing-endpoints.ts': 'redacts',
  'kit/recording/exchange-record.ts': 'redacts',
  'app/record-exchanges.ts': 'redacts',
  'kit/recording/shown-exchange.ts': 'redacts',

  'base/text/redact.ts': 'redacts',

  'wire/guard.ts': 'compares',

  'areas/grpc/services/metadata-of.ts': 'responds',
  'areas/http/dump/topic.ts': 'responds',
  'areas/http/formats/topic.ts': 'responds',
  'areas/http/redirects/topic.ts': 'responds',
  'areas/http/respond/script.ts': 'responds',
  'areas/httpbin/echo.ts': 'responds',
  'areas/httpbin/headers.ts': 'responds',
  'areas/methods/echo.ts': 'responds',
  'areas/methods/list-headers.ts': 'responds',
  'areas/methods/send-back.ts': 'responds',
  'areas/practice-apis/dialect/call.ts': 'responds',
  'areas/practice-apis/postman-echo/dialect.ts': 'responds',
  'site/error-page.ts': 'responds',
  'site/landing/landing-page.ts': 'responds',
  'http/address/exact-url.ts': 'responds',

  'app/begin.ts': 'compares',
  'areas/http2/control/lab-of.ts': 'compares',
  'areas/payments/wire/keys.ts': 'compares',
  'areas/auth/sigv4/signed-request.ts': 'compares',
  'areas/signatures/guard.ts': 'compares',
  'defects/change-request.ts': 'compares',
  'defects/watch-defect.ts': 'compares',
  'http/digest/verify-digest.ts': 'compares',
  'wire/receive-request.ts': 'compares',

  'http/address/mount.ts': 'provides',
  'http/address/sandbox-address.ts': 'provides',
  'http/headers/header-values.ts': 'provides',
  'kit/replays/replays.ts': 'provides',
  'wire/http1/one-at-a-time.ts': 'provides',
  'wire/http1/request-bytes.ts': 'provides',
  'wire/http1/request-queue.ts': 'provides',
  'wire/http2/http2-request.ts': 'provides',
  'wire/internals/header-lines.ts': 'provides',
};

function sources(): readonly string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith('.ts') && !each.name.endsWith('.test.ts'))
    .map((each) => relative(source, join(each.parentPath, each.name)).replaceAll('\\', '/'));
}

test('every reader of a target or of raw headers is known', () => {
  const found = sources().filter((file) => reads.test(readFileSync(join(source, file), 'utf8')));
  expect(found.sort()).toEqual(Object.keys(readers).sort());
});

/** Files that store or list what others read, and take a `Shown`, or call the redactor. */
const places = [
  'app/request-log.ts',
  'areas/bins/captures.ts',
  'areas/bins/capturing-endpoints.ts',
  'areas/classes/class-record.ts',
  'areas/http/caching/resource.ts',
  'areas/mcp/judge/watch.ts',
  'faults/plan/attempts.ts',
  'faults/wire/noted-attempt.ts',
  'http/http-error.ts',
  'http/request-id.ts',
  'kit/recording/exchange-record.ts',
  'kit/recording/known-paths.ts',
  'kit/recording/shown-exchange.ts',
  'kit/verdict/findings.ts',
];

test('every place that others read uses the one redactor, and no other pattern finds addresses', () => {
  const users = sources().filter((file) =>
    /\bredact\b|\bShown\b/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(users).toEqual(expect.arrayContaining(places));
  const others = sources().filter((file) =>
    /replace(?:All)?\([^)]*\/s\\?\/~/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(others).toEqual([]);
});
