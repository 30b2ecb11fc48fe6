/** Deliberate breaks of the service and of the lab, each of which the tool that is for it must find. */

import { describe, expect, test } from 'vitest';
import { runFuzz } from '../../lab/fuzz/run-fuzz.js';
import { echoRequests } from '../../lab/fuzz/sources/echoes.js';
import { malformedHttp } from '../../lab/fuzz/sources/malformed-http.js';
import { startService } from '../../lab/harness/start-program.js';
import { Attacker, attackOnce } from '../../lab/hostile/attacker.js';
import { attacks } from '../../lab/hostile/attacks/all-attacks.js';
import { modes, runAttack } from '../../lab/hostile/run-attack.js';
import { seed } from '../support/case-count.js';
import { useService } from '../support/service.js';
import { breakBuild } from './break-build.js';

const [direct = { isProxied: false, hasAccounts: false, isShared: false }] = modes;

function attackNamed(part: string) {
  const attack = attacks.find(({ name }) => name.includes(part));
  if (attack === undefined) throw new Error(`There is no attack ${part}.`);
  return attack;
}

/** Returns the complaints of an attack at a broken build. */
async function attackBroken(name: string, passage: string, replacement: string) {
  const { program, remove } = breakBuild(passage, replacement);
  try {
    const options = { program, haproxy: undefined, seconds: 0.5, isShort: true, isTimed: false };
    return (await runAttack(attackNamed(name), direct, options)).complaints;
  } finally {
    remove();
  }
}

/** Returns the findings of a source at a broken build. */
async function fuzzBroken(
  source: ReturnType<typeof echoRequests>,
  passage: string,
  replacement: string,
  requests = 150,
) {
  const { program, remove } = breakBuild(passage, replacement);
  const service = await startService([], { program });
  try {
    return await runFuzz(service.url, {
      sources: [[source, 1]],
      requests,
      seed,
      patienceMs: 5000,
    });
  } finally {
    await service.stop();
    remove();
  }
}

const patient = { timeout: 300_000 };

describe('of the service:', patient, () => {
  test('held requests are not released when their clients leave', async () => {
    const passage = 'closing.once("close", release);';
    const complaints = await attackBroken('2,000 long polls, then reset', passage, '');
    expect(complaints).toContainEqual(expect.stringMatching(/^held_requests is \d+ 10 s after/));
  });

  test('bodies whose clients leave stay counted', async () => {
    const passage = 'bodies.release(this.#countedBytes);';
    const complaints = await attackBroken('bodies in chunks of one byte on 8', passage, '');
    expect(complaints).toContainEqual(expect.stringMatching(/^body_bytes is \d+ 10 s after/));
  });

  test('large data waits for all that one owner has sent before', async () => {
    const passage = 'return text.length < largeText ?';
    const inOrder = 'queue.last = (queue.last ?? Promise.resolve()).then(work, work);';
    const complaints = await attackBroken(
      'load large data',
      passage,
      `if (text.length >= largeText) return ${inOrder} ${passage}`,
    );
    expect(complaints).toContainEqual(expect.stringMatching(/^a stranger waited for many pupils/));
  });

  test('a turn of its event loop is long', async () => {
    const passage = 'function framingFault(request) {';
    // Once, and three times as long as the longest block on a busy machine, however slow that is.
    const body = 'JSON.stringify(Array.from({ length: 30_000 }, (_, n) => ({ ["n" + n]: "x" })))';
    const work = `const body = ${body}; for (let n = 0; n < 25; n++) JSON.stringify(JSON.parse(body));`;
    const busy = `globalThis.wasBusy ??= (() => { ${work} return true; })();`;
    const complaints = await attackBroken(
      'bodies in chunks of one byte on 8',
      passage,
      `${passage}${busy}`,
    );
    expect(complaints).toContainEqual(expect.stringMatching(/^the event loop was blocked/));
  });

  test('the framing of requests is not checked', async () => {
    const passage = 'function framingFault(request) {';
    // Few malformed requests have wrong framing: 5 of 150 with one seed.
    const broken = `${passage} return undefined;`;
    const { findings } = await fuzzBroken(malformedHttp(), passage, broken, 600);
    expect(findings.length).toBeGreaterThan(5);
  });

  test('an echo is empty', async () => {
    const passage = 'query, contentType, body } = facts;';
    const { findings } = await fuzzBroken(
      echoRequests(),
      passage,
      'contentType, body } = facts; const query = {};',
    );
    const complaints = findings.map(({ complaint }) => complaint);
    expect(complaints).toContainEqual(expect.stringMatching(/^query is \{\}, not \{"token"/));
  });
});

describe('of the lab:', patient, () => {
  test('/metrics fails', async () => {
    const complaints = await attackBroken(
      'invalid targets',
      'everything.metrics()',
      'everything.nothing()',
    );
    expect(complaints).toEqual(['no metrics before']);
  });

  describe('a path', () => {
    const service = useService();

    test.each([
      ['is renamed', '/api/http/renamed', 1],
      ['is right', '/api/http/dump', 0],
    ])('%s', async (_what, path, count) => {
      const { url } = service;
      const given = { url, mode: direct, pid: process.pid, seconds: 0.2, isShort: true };
      const attacker = new Attacker(given);
      const bytes = attacker.bytes.bind(attacker);
      attacker.bytes = (method, target, parts) =>
        bytes(method, target.replace('/api/http/dump', path), parts);
      const complaints = await attackOnce(attacker, attackNamed('echo 6'), undefined);
      expect(complaints).toHaveLength(count);
    });
  });
});
