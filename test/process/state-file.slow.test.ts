/** The program with its state in a file. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { newClass, type Pupil, solve } from '../classes/school.js';
import { freePort } from '../support/redis.js';
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';
import { type SendOptions, send, type TestService } from '../support/service.js';
import { stateTimeOf, useFolder } from '../support/state-file.js';

endPrograms();
const pathOf = useFolder();

const serviceAt = (url: string): TestService => ({
  url,
  send: (target, options) => send(url, target, options),
});

async function start(path: string, flags: readonly string[] = []) {
  const program = runProgram(['--port', '0', '--state-file', path, ...flags]);
  const service = serviceAt(await program.started);
  return {
    ...program,
    ...service,
    async stop() {
      program.process.kill('SIGTERM');
      expect(await program.ended).toEqual({ code: 0, signal: null });
    },
  };
}

const note = (text: string): SendOptions => ({ json: { text } });
const writeNote = (service: TestService, sandbox: string, text: string) =>
  service.send(`POST /s/${sandbox}/my/notes`, note(text));
const useNotes = (service: TestService, sandbox: string) =>
  service.send(`PUT /s/${sandbox}/api/sandbox/data`, { json: { notes: [] } });
const notesOf = async (service: TestService, sandbox: string) =>
  (await service.send(`GET /s/${sandbox}/my/notes`)).json;

interface Work {
  readonly pupil: Pupil;
  readonly bin: string;
  readonly token: string | undefined;
  readonly cookie: string;
}

/** A pupil does something in areas that keep state. An issuer needs time for its keys. */
async function work(pupil: Pupil, hasIssuer: boolean): Promise<Work> {
  const { call, name } = pupil;
  await solve(pupil);
  await call('DELETE /api/Books/2');
  await call('PUT /api/sandbox/data', { json: { notes: [{ id: 'first', text: name }] } });
  await call('POST /my/notes', note(`of ${name}`));
  const { id } = (await call('POST /api/webhooks/bins', { json: {} })).json;
  const bytes = Buffer.from(`${name}\n\0ÿ`, 'latin1');
  await call(`POST /api/webhooks/${id}`, { body: bytes });
  const json = { username: 'ada', password: 'ada-secret' };
  const login = await call('POST /api/auth/session/login', { json });
  const [cookie = ''] = String(login.headers['set-cookie']).split(';');
  const token = hasIssuer ? await grantedBy(pupil) : undefined;
  return { pupil, bin: id, token, cookie };
}

/** Returns an access token of the pupil's own issuer. */
async function grantedBy({ call, name }: Pupil): Promise<string> {
  const clients = [{ clientId: 'mine', clientSecret: 'hush', claims: { name } }];
  await call('PUT /api/sandbox/oidc', { json: { clients } });
  const credentials = `Basic ${Buffer.from('mine:hush').toString('base64')}`;
  const granted = await call('POST /oidc/token', {
    body: 'grant_type=client_credentials',
    headers: {
      Authorization: credentials,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  });
  return granted.json.access_token;
}

/** Everything of a pupil, without what each reading changes. */
async function seen({ pupil: { call }, bin, token, cookie }: Work) {
  const headers = { Authorization: `Bearer ${token}` };
  const ofIssuer = ['GET /oidc/jwks', 'GET /oidc/api/me', 'GET /api/sandbox/oidc'];
  const responses = await Promise.all([
    call('GET /api/Books?limit=3'),
    call('GET /my/notes'),
    call(`GET /api/webhooks/bins/${bin}/requests`),
    call('GET /api/auth/session/me', { headers: { Cookie: cookie } }),
    call('GET /api/challenges/http-head'),
    ...(token === undefined ? [] : ofIssuer.map((target) => call(target, { headers }))),
  ]);
  return responses.map(({ status, json }) => {
    const { endsUnlessUsedAt: _moving, fetches: _counted, ...others } = json;
    return { status, json: Array.isArray(json) ? json : others };
  });
}

test('a class of 100 is the same after a restart: boards, bins, own data, keys of issuers, sessions', {
  timeout: 300_000,
}, async () => {
  const path = pathOf('class');
  const port = ['--port', String(await freePort())];
  const first = await start(path, port);
  const room = await newClass(first);
  const names = Array.from({ length: 100 }, (_, number) => `Pupil ${number}`);
  const works: Work[] = [];
  for (const [number, name] of names.entries()) {
    works.push(await work(await room.join(name), number % 10 === 0));
  }
  const before = await Promise.all(works.map(seen));
  for (const { status } of before.flat()) expect(status).toBe(200);
  const board = (await room.teach('GET ')).json;
  await first.stop();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.lock`)).toBe(false);
  // Keys that memory keeps as hashes.
  expect(readFileSync(path, 'latin1')).not.toContain(room.teacherKey);

  const second = await start(path, port);
  expect((await room.teach('GET ')).json).toEqual(board);
  expect(await Promise.all(works.map(seen))).toEqual(before);
  await second.stop();
});

describe('a start is rejected in one line with status 2', () => {
  async function rejection(flags: readonly string[], command?: [string, ...string[]]) {
    const program = runProgram(['--port', '0', ...flags], {}, command);
    expect((await program.ended).code).toBe(2);
    expect(program.output().stderr.trimEnd().split('\n')).toHaveLength(1);
    return program.output().stderr.trimEnd();
  }

  test('with a server for the state as well', async () => {
    const path = pathOf('both');
    expect(await rejection(['--state-file', path, '--state-url', 'redis://localhost'])).toBe(
      `--state-file is "${path}", but with --state-url or STATE_URL the state is kept by the server. Choose one of both.`,
    );
    expect(existsSync(path)).toBe(false);
  });

  test('for the file of a running process, until this is killed', async () => {
    const path = pathOf('used');
    const first = await start(path);
    expect(await rejection(['--state-file', path])).toBe(
      `STATE_FILE is ${path}, which is in use by process ${first.process.pid}. One process can use it at a time.`,
    );
    first.process.kill('SIGKILL');
    await first.ended;
    await (await start(path)).stop();
  });

  test('for a file that was cut, or of another format, which stays unchanged', async () => {
    const path = pathOf('cut');
    await (await start(path)).stop();
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, -1));
    expect(await rejection(['--state-file', path])).toBe(
      `STATE_FILE is ${path}, which is not a state file, or was cut or altered. Use a copy of it, or another file.`,
    );
    expect(readFileSync(path).equals(whole.subarray(0, -1))).toBe(true);
    const newer = Buffer.from(whole.toString('latin1').replace(' 1 ', ' 2 '), 'latin1');
    writeFileSync(path, newer);
    expect(await rejection(['--state-file', path])).toMatch(
      /which has the format 2, and version \S+ of the service reads format 1\.$/,
    );
    expect(readFileSync(path).equals(newer)).toBe(true);
  });

  test('where the service may not write', async () => {
    const folder = pathOf('closed');
    mkdirSync(folder, { mode: 0o555 });
    chmodSync(pathOf(''), 0o755);
    const isRoot = process.getuid?.() === 0;
    const asOther = ['setpriv', '--reuid=65534', '--clear-groups'];
    const [program, ...args] = [...(isRoot ? asOther : []), process.execPath, builtProgram];
    const line = await rejection(['--state-file', `${folder}/state`], [program as string, ...args]);
    expect(line).toBe(
      `STATE_FILE is ${folder}/state, but EACCES: permission denied, open '${folder}/state.lock'.`,
    );
  });
});

/** A place for the file, and how it gets room again. */
interface Disk {
  readonly path: string;
  readonly command: readonly [string, ...string[]];
  readonly reason: RegExp;
  readonly grow: (pid: number) => void;
}

const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) execFileSync('umount', [folder]);
});

function smallFolder(): string | undefined {
  const folder = pathOf('disk');
  mkdirSync(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
  if (status !== 0) {
    console.warn('Skipped: the test of a full disk may not mount one.');
    return undefined;
  }
  mounted.push(folder);
  return folder;
}

const folder = process.platform === 'linux' ? smallFolder() : undefined;
const inLimits = `trap '' XFSZ; ulimit -S -f 128; exec "$@"`;
const disks: readonly (readonly [string, Disk | undefined])[] = [
  [
    'disk',
    folder === undefined
      ? undefined
      : {
          path: `${folder}/state`,
          command: [process.execPath, builtProgram],
          reason: /^ENOSPC: /,
          grow: () => execFileSync('mount', ['-o', 'remount,size=8m', folder]),
        },
  ],
  [
    'limit of the size of files',
    process.platform !== 'linux'
      ? undefined
      : {
          path: pathOf('limited'),
          command: ['sh', '-c', inLimits, 'sh', process.execPath, builtProgram],
          reason: /^EFBIG: /,
          grow: (pid) => execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited']),
        },
  ],
];

describe.each(disks.filter(([, disk]) => disk !== undefined))('a full %s', (_name, disk) => {
  test('is reported while the service continues, keeps the old file, and recovers by itself', {
    timeout: 120_000,
  }, async () => {
    const { path, command, reason, grow } = disk as Disk;
    const program = runProgram(['--port', '0', '--state-file', path], { NODE_COMPILE_CACHE: '' }, [
      ...command,
    ]);
    const service = serviceAt(await program.started);
    await useNotes(service, 'full');
    await writeNote(service, 'full', 'saved');
    const began = Date.now();
    await expect.poll(() => stateTimeOf(path)).toBeGreaterThan(began);
    const old = readFileSync(path);

    await writeNote(service, 'full', 'x'.repeat(400_000));
    const logged = () =>
      program
        .output()
        .stdout.split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line));
    await expect
      .poll(logged)
      .toMatchObject([{ level: 'error', reason: expect.stringMatching(reason) }]);
    expect(readFileSync(path).equals(old)).toBe(true);
    expect(existsSync(`${path}.tmp`)).toBe(false);
    expect(await notesOf(service, 'full')).toHaveLength(2);

    grow(program.process.pid as number);
    await expect
      .poll(logged)
      .toMatchObject([{}, { level: 'warn', msg: 'the state file is written again' }]);
    program.process.kill('SIGKILL');
    await program.ended;
    const again = await start(path);
    expect(await notesOf(again, 'full')).toHaveLength(2);
    await again.stop();
  });
});
