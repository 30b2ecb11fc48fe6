/**
 * The packed tarball on other versions of Node: PRACTICE_NODES names their programs, separated by spaces. Without it, only
 * the Node that runs the tests.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installPacked, packPackage } from '../support/packed-package.js';
import { endPrograms, runProgram } from '../support/run-program.js';

endPrograms();

const nodes = process.env.PRACTICE_NODES?.split(' ').filter(Boolean) ?? [process.execPath];
const folder = mkdtempSync(join(tmpdir(), 'practice-api-nodes-'));
let tarball = '';
beforeAll(() => {
  tarball = packPackage(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const versions = nodes.map((node) => [
  execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
  node,
]);

test.skipIf(!process.env.CI && nodes.length < 4)(
  'there are the Nodes 20.19, 22, 24 and the newest',
  () => {
    const majors = versions.map(([version = '']) => Number(/\d+/.exec(version)?.[0]));
    expect(versions.some(([version]) => version?.startsWith('v20.19.'))).toBe(true);
    expect(majors).toEqual(expect.arrayContaining([20, 22, 24]));
    expect(Math.max(...majors)).toBeGreaterThan(24);
  },
);

const json = { 'Content-Type': 'application/json' };

/** The version that last wrote the state file, which all versions use in turn. */
let writtenBy: string | undefined;

test.each(versions)(
  'on Node %s it installs without a warning, every area responds, and the state of another is read',
  { timeout: 180_000 },
  async (version, node = '') => {
    const place = join(folder, version ?? '');
    const { program: path, output, packages } = installPacked(tarball, place, node);
    expect(output).not.toMatch(/warn|deprecated/i);
    expect(packages.length).toBeLessThanOrEqual(100);

    const flags = ['--port', '0', '--tls-port', '0', '--state-file', join(folder, 'kept.practice')];
    const program = runProgram([...flags, '--json'], {}, [node, path]);
    const { url } = JSON.parse(await program.firstLine);
    const own = `${url}/s/kept/api/sandbox/data`;
    if (writtenBy !== undefined) {
      expect(await (await fetch(own)).json()).toEqual({ notes: [{ id: 1, by: writtenBy }] });
    }
    const body = JSON.stringify({ notes: [{ id: 1, by: version }] });
    const stored = await fetch(own, { method: 'PUT', body, headers: json });
    expect(stored.status).toBe(200);
    writtenBy = version;
    const statuses = await Promise.all(
      Object.entries(smoke).map(async ([target, body]) => {
        const [method = '', path = ''] = target.split(' ');
        const init = body === undefined ? {} : { body: JSON.stringify(body), headers: json };
        const response = await fetch(url + path, { method, redirect: 'manual', ...init });
        await response.arrayBuffer();
        return [target, response.status];
      }),
    );
    expect(statuses.filter(([, status]) => Number(status) >= 400)).toEqual([]);
    program.process.kill();
    expect((await program.ended).code).toBe(0);
    expect(program.output().stderr).toBe('');
  },
);

/** A request for each area, with the body of those that have one. */
const smoke: Readonly<Record<string, object | undefined>> = {
  'POST /api/methods/post': { name: 'Ada' },
  'GET /api/http/status/204': undefined,
  'GET /httpbin/get': undefined,
  'POST /graphql': { query: '{ country(code: "JP") { name } }' },
  'GET /api/Books?genre=fantasy&sort=-rating': undefined,
  'GET /my': undefined,
  'GET /json-server/db': undefined,
  'GET /api/pagination/cursor': undefined,
  'GET /api/RateLimit': undefined,
  'GET /api/soap?wsdl': undefined,
  'POST /api/webhooks/bins': {},
  'GET /oidc/.well-known/openid-configuration': undefined,
  'GET /oidc/jwks': undefined,
  'GET /api/auth': undefined,
  'GET /api/sse': undefined,
  'GET /api/ws': undefined,
  'GET /tls': undefined,
  'GET /images': undefined,
  'GET /api/sandbox': undefined,
  'GET /openapi.json': undefined,
  'GET /guides': undefined,
  'GET /docs': undefined,
  'GET /metrics': undefined,
};
