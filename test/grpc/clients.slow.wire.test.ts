/** The C core (Python), grpc-go and grpc-java, with clients generated from the public files. */

import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { setupsFor } from '../../pages/grpc/clients.js';
import { createService, type Service } from '../../src/index.js';
import { testsWith } from '../support/foreign-program.js';
import {
  behaveWithGrpcJs,
  meetWithConnect,
  meetWithGrpcJs,
  type Outcomes,
} from '../support/grpc-node-clients.js';
import { startHaproxy } from '../support/grpc-proxy.js';

const programs = testsWith('grpc', 'grpc-go', 'grpc-java', 'haproxy');
const { test } = programs;

const protos = fileURLToPath(new URL('../../data/proto', import.meta.url));
const sources = fileURLToPath(new URL('../clients/grpc', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-grpc-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = promisify(execFile);
const filesBelow = (root: string, end: string) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(end));

/** The files of health and reflection would hide the package of the library. */
async function makePython(): Promise<void> {
  const from = join(folder, 'python-protos');
  cpSync(protos, from, { recursive: true });
  for (const name of ['health', 'reflection']) {
    cpSync(join(from, 'grpc', name), join(from, `grpc_${name}`), { recursive: true });
  }
  rmSync(join(from, 'grpc'), { recursive: true });
  const to = join(folder, 'python');
  mkdirSync(to);
  const plugin = '--plugin=protoc-gen-grpc=/usr/bin/grpc_python_plugin';
  const options = [`--python_out=${to}`, `--grpc_out=${to}`, plugin];
  await run('protoc', ['-I.', ...options, ...filesBelow(from, '.proto')], { cwd: from });
}

/** Debian's generator accepts the files of one package at a time, and knows older names of types. */
async function makeGo(): Promise<void> {
  const to = join(folder, 'go');
  mkdirSync(join(to, 'src'), { recursive: true });
  const known = ['any', 'duration', 'empty', 'wrappers'].map(
    (name) => `Mgoogle/protobuf/${name}.proto=github.com/golang/protobuf/ptypes/${name}`,
  );
  const mask = 'Mgoogle/protobuf/field_mask.proto=google.golang.org/genproto/protobuf/field_mask';
  const out = `--go_out=${['plugins=grpc', ...known, mask].join(',')}:${join(to, 'src')}`;
  const practice = ['records', 'echo', 'status'].map((name) => `practice/v1/${name}.proto`);
  for (const files of [['grpcbin.proto'], ['hello.proto'], ['addsvc.proto'], practice]) {
    await run('protoc', ['-I.', out, ...files], { cwd: protos });
  }
  cpSync(join(sources, 'main.go'), join(to, 'main.go'));
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: `${to}:/usr/share/gocode` };
  await run('go', ['build', '-o', 'client', 'main.go'], { cwd: to, env });
}

const jars = [
  ...['api', 'context', 'core', 'netty', 'protobuf', 'protobuf-lite', 'stub'].map(
    (name) => `grpc-${name}`,
  ),
  ...['protobuf', 'guava', 'perfmark-api', 'jsr305', 'geronimo-annotation-1.3-spec'],
  ...['buffer', 'codec', 'codec-http', 'codec-http2', 'codec-socks', 'common', 'handler'].map(
    (name) => `netty-${name}`,
  ),
  ...['netty-handler-proxy', 'netty-resolver', 'netty-transport'],
  'netty-transport-native-unix-common',
];
const classPath = jars.map((name) => `/usr/share/java/${name}.jar`).join(':');
const quick = '-XX:TieredStopAtLevel=1';

async function makeJava(): Promise<void> {
  const [from, to] = [join(folder, 'java-source'), join(folder, 'java')];
  for (const each of [from, to]) mkdirSync(each);
  const plugin = '--plugin=protoc-gen-grpc-java=/usr/bin/grpc_java_plugin';
  const files = filesBelow(protos, '.proto').filter((file) => !file.includes('v1alpha'));
  const options = [`--java_out=${from}`, `--grpc-java_out=${from}`, plugin];
  await run('protoc', ['-I.', ...options, ...files], { cwd: protos });
  const generated = filesBelow(from, '.java').map((file) => join(from, file));
  const all = [...generated, join(sources, 'Client.java')];
  await run('javac', ['-proc:none', '-nowarn', `-J${quick}`, '-cp', classPath, '-d', to, ...all]);
}

interface Client {
  readonly make: () => Promise<void>;
  readonly command: () => readonly string[];
}

const clients: Readonly<Record<string, Client>> = {
  python: {
    make: makePython,
    command: () => ['/usr/bin/python3', join(sources, 'client.py'), join(folder, 'python')],
  },
  go: { make: makeGo, command: () => [join(folder, 'go', 'client')] },
  java: {
    make: makeJava,
    command: () => ['java', quick, '-cp', `${join(folder, 'java')}:${classPath}`, 'Client'],
  },
};

async function callWith(name: string, target: string, ...more: readonly string[]) {
  const [command = '', ...args] = clients[name]?.command() ?? [];
  // Libraries of clients would use a proxy for names, and older grpc-go needs a switch for retries.
  const env = { ...process.env, no_proxy: '*', GRPC_GO_RETRY: 'on' };
  const { stdout } = await run(command, [...args, target, ...more], { env });
  return JSON.parse(stdout);
}

/** The methods of the public server, in its file. */
const grpcbinMethods = [
  ...readFileSync(join(protos, 'grpcbin.proto'), 'utf8').matchAll(/^ {2}rpc (\w+)/gm),
].map(([, name = '']) => name);

test('the clients call each method of grpcbin by name', () => {
  expect(Object.keys(seen.grpcbin)).toEqual(grpcbinMethods);
});

const seen = {
  unary: [true, 'gzip', true],
  metadata: [['a', 'b'], ['AP8']],
  head: '1',
  trailer: [0, 1, 2],
  'server stream': 3,
  'client stream': 'abc',
  'both streams': ['a', 'b', 'c'],
  deadline: 'DEADLINE_EXCEEDED',
  cancel: 'CANCELLED',
  status: ['RESOURCE_EXHAUSTED', 'zu viel: 100 %', 3],
  grpcbin: {
    Index: 10,
    Empty: true,
    DummyUnary: 7,
    DummyServerStream: 10,
    DummyClientStream: 9,
    DummyBidirectionalStreamStream: [0, 1, 2],
    SpecificError: 'NOT_FOUND',
    RandomError: true,
    HeadersUnary: ['1'],
    NoResponseUnary: 'INTERNAL',
  },
  hello: 'hello Ada, noname',
  sum: 2,
  health: 1,
  reflection: true,
  watched: 1.5,
  'old etag': 'ABORTED',
  todos: {
    Create: 'medium',
    Get: 'NOT_FOUND',
    List: [2, true],
    Update: ['gRPC too', true],
    Import: 2,
    Chat: [3, 1, 0],
    Watch: [1, 2, 1, 1, 3],
  },
  unknown:
    'There is no method /hello.HelloService/SayHelo. Did you mean /hello.HelloService/SayHello?',
};

let service: Service;
// Compilers need minutes where other work runs.
beforeAll(async () => {
  if (!programs.isInstalled) return;
  service = await createService({ tls: true });
  for (const { make } of Object.values(clients)) await make();
}, 600_000);
afterAll(() => service?.close());

const hostOf = (url: string) => new URL(url).host;

/** Meets misbehaviours with each client, and returns codes and messages by client. */
async function meetAll(names: readonly string[]): Promise<Record<string, Outcomes>> {
  const target = hostOf(service.url);
  const task = JSON.stringify({ errors: names });
  const found: Record<string, Outcomes> = {};
  for (const name of Object.keys(clients)) found[name] = await callWith(name, target, '', task);
  found['grpc-js'] = await meetWithGrpcJs(target, names);
  found['connect-node'] = await meetWithConnect(service.url, names);
  return found;
}

describe.each(Object.keys(clients))('%s', (name) => {
  test('calls all kinds of methods without TLS', async () => {
    expect(await callWith(name, hostOf(service.url))).toEqual(seen);
  });

  // Debian's netty has no ALPN, so grpc-java cannot use TLS there.
  const overTls = async () => {
    const file = join(folder, 'ca.pem');
    writeFileSync(file, await (await fetch(`${service.url}/tls/ca.pem`)).text());
    await reset(service.url, name);
    const { port } = new URL(String(service.tlsUrl));
    expect(await callWith(name, `localhost:${port}`, file)).toEqual(seen);
  };
  if (name !== 'java') test('calls them over TLS', overTls);

  test('calls them through haproxy', async () => {
    await reset(service.url, name);
    const proxy = await startHaproxy([hostOf(service.url)]);
    try {
      expect(await callWith(name, proxy.target)).toEqual(seen);
    } finally {
      await proxy.stop();
    }
  });
});

/** Programs around the lines of the page, which print the title of a book. */
const programsOf: Readonly<Record<string, (lines: string) => Promise<{ stdout: string }>>> = {
  python(lines) {
    const imports = [
      `import sys; sys.path.insert(0, ${JSON.stringify(join(folder, 'python'))})`,
      'import grpc',
      'from practice.v1 import records_pb2, records_pb2_grpc',
    ];
    return run('/usr/bin/python3', ['-c', [...imports, lines, 'print(book.title)'].join('\n')]);
  },
  go(lines) {
    const to = join(folder, 'go', 'page');
    mkdirSync(to);
    const imports = [
      'context',
      'fmt',
      'time',
      'google.golang.org/grpc',
      'google.golang.org/grpc/metadata',
    ];
    const all = [...imports.map((name) => `"${name}"`), 'practicev1 "practice/v1"'];
    const main = `func main() {\n${lines}\nfmt.Println(book.GetTitle(), err)\n}`;
    writeFileSync(join(to, 'main.go'), `package main\nimport (\n${all.join('\n')}\n)\n${main}\n`);
    const GOPATH = `${join(folder, 'go')}:/usr/share/gocode`;
    return run('go', ['run', 'main.go'], {
      cwd: to,
      env: { ...process.env, GO111MODULE: 'off', GOPATH },
    });
  },
  java(lines) {
    const imports = [
      'static java.util.concurrent.TimeUnit.SECONDS',
      ...['ManagedChannelBuilder', 'Metadata', 'stub.MetadataUtils'].map(
        (name) => `io.grpc.${name}`,
      ),
      ...['BooksGrpc', 'Records.GetRequest'].map((name) => `practice.v1.${name}`),
    ];
    const main = `public static void main(String[] args) { ${lines} System.out.println(book.getTitle()); }`;
    const file = join(folder, 'Page.java');
    writeFileSync(
      file,
      `${imports.map((name) => `import ${name};`).join('\n')}\npublic class Page { ${main} }\n`,
    );
    return run('java', [quick, '-cp', `${join(folder, 'java')}:${classPath}`, file]);
  },
  node(lines) {
    const code = [
      "import grpc from '@grpc/grpc-js';",
      "import loader from '@grpc/proto-loader';",
      `const options = { includeDirs: [${JSON.stringify(protos)}] };`,
      "const file = loader.loadSync('practice/v1/records.proto', options);",
      'const { practice } = grpc.loadPackageDefinition(file);',
      `{ ${lines} }`,
    ];
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    return run('node', ['--input-type=module', '-e', code.join('\n')], { cwd });
  },
};

test.each(Object.keys(programsOf))(
  'the lines of the page run, and have a deadline: %s',
  async (name) => {
    const sandbox = `page-${name}`;
    const setup = setupsFor(hostOf(service.url), sandbox).find(({ id }) => id === name);
    // A busy machine needs longer than a reader of the page.
    const lines = setup?.text.replace(/\b5(?=000|\*time|, SECONDS|, metadata)/, '60');
    const { stdout } = (await programsOf[name]?.(lines ?? '')) ?? { stdout: '' };
    expect(stdout).toContain('The Hobbit');
    const findings = await fetch(`${service.url}/api/sandbox/grpc/findings`, sandboxed(sandbox));
    const { rules } = (await findings.json()) as { readonly rules: readonly object[] };
    expect(rules).toContainEqual(
      expect.objectContaining({ rule: 'deadline-sent', outcome: 'kept' }),
    );
  },
);

const sandboxed = (sandbox: string, json?: object) => ({
  headers: { 'x-sandbox': sandbox, 'content-type': 'application/json' },
  ...(json && { method: 'POST', body: JSON.stringify(json) }),
});

describe('the judge does not blame a right client', () => {
  const retried = [
    ...['pushback-positive', 'pushback-negative', 'reset-refused-stream'],
    ...['two-statuses', 'trailers-only', 'half-message'],
  ];
  // grpc-js repeats at once after a pushback that is no number, so it is no right client.
  const alsoRetried = (name: string) => (name === 'grpc-js' ? [] : ['pushback-unparsable']);
  const plays = [
    ...['deadline-passed-on', 'trailers-read', 'maximal-message'],
    ...['wait-for-ready', 'cancel-passed-on'],
  ];
  test.each([...Object.keys(clients), 'grpc-js'])('%s', async (name) => {
    const sandbox = `right-${name}`;
    const started = await fetch(
      `${service.url}/grpc/test-plan/runs`,
      sandboxed(sandbox, { cases: plays }),
    );
    const run = new URL(String(started.headers.get('location')), service.url);
    const steps = (await started.json()) as readonly {
      readonly case: string;
      readonly metadata: Readonly<Record<string, string>>;
    }[];
    const cases = Object.fromEntries(
      steps.map((each) => [each.case, String(each.metadata['x-test-run'])]),
    );
    const right = { sandbox, ...cases };
    const target = hostOf(service.url);
    const met = [...retried, ...alsoRetried(name)];
    const ended =
      name === 'grpc-js'
        ? await behaveWithGrpcJs(target, right, met)
        : await callWith(name, target, '', JSON.stringify({ right, retried: met }));
    expect(ended).toHaveLength(met.length + 1);
    expect(ended.at(-1)).toBe('CANCELLED');
    const outcomesAt = async (url: URL | string, member: string) => {
      const found = (await (await fetch(url, sandboxed(sandbox))).json()) as {
        readonly rules?: readonly Readonly<Record<string, string>>[];
      };
      const all = found.rules ?? (found as readonly Readonly<Record<string, string>>[]);
      return Object.fromEntries(all.map((each) => [each[member], each.outcome]));
    };
    await expect
      .poll(() => outcomesAt(run, 'case'))
      .toEqual(Object.fromEntries(plays.map((each) => [each, 'handled'])));
    const findings = await outcomesAt(`${service.url}/api/sandbox/grpc/findings`, 'rule');
    expect(findings).toEqual({
      'deadline-sent': 'kept',
      'pushback-obeyed': 'kept',
      'no-retry-after-message': 'kept',
      'safe-retries': 'kept',
      'attempts-bounded': 'kept',
      'keepalive-pings': 'not-reached',
      'etag-on-update': 'kept',
      'page-token-unchanged': 'kept',
    });
  });
});

test('the generators of the guide make files', async () => {
  const guide = readFileSync(new URL('../../docs/grpc.md', import.meta.url), 'utf8');
  const commands = [...guide.matchAll(/`(protoc [^`]+)`/g)].map(([, command = '']) => command);
  expect(commands).toHaveLength(3);
  for (const [index, command] of commands.entries()) {
    const cwd = join(folder, `guide-${index}`);
    mkdirSync(cwd);
    cpSync(join(protos, 'hello.proto'), join(cwd, 'hello.proto'));
    await run('sh', ['-c', command], { cwd });
    expect(filesBelow(cwd, '').length).toBeGreaterThan(1);
  }
});

/** Cells of the rows of a table in the guide, from a text on. */
const rowsFrom = (text: string, begin: string) =>
  text
    .slice(text.indexOf(begin))
    .split('\n\n')[0]
    ?.split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.replaceAll('`', '').trim())
        .slice(1, -1),
    ) ?? [];

test('the guide says what each client reports in each case', { timeout: 600_000 }, async () => {
  const guide = readFileSync(
    new URL('../../docs/grpc/test-your-error-handling.md', import.meta.url),
    'utf8',
  );
  const differing = rowsFrom(guide, '| Case | Python |').map(
    ([name = '', ...codes]) => [name, codes] as const,
  );
  const agreed = rowsFrom(guide, '| Code | Cases |').flatMap(([code = '', names = '']) =>
    names.split(', ').map((name) => [name, new Array(5).fill(code)] as const),
  );
  const table = Object.fromEntries([...differing, ...agreed]);
  const plan = await fetch(`${service.url}/grpc/test-plan`);
  const cases = (await plan.json()) as readonly { readonly case: string; readonly kind: string }[];
  const misbehaviours = cases
    .filter(({ kind }) => kind === 'misbehaviour')
    .map((each) => each.case);
  expect(Object.keys(table).sort()).toEqual([...misbehaviours].sort());
  const found = await meetAll(misbehaviours);
  if (process.env.SHOW) writeFileSync(process.env.SHOW, JSON.stringify(found, null, 1));
  const met = misbehaviours.map((name) => [
    name,
    Object.values(found).map((outcomes) => outcomes[name]?.[0]),
  ]);
  expect(Object.fromEntries(met)).toEqual(table);
  // At least two clients report each of these in different ways.
  for (const [name, codes] of differing) expect(new Set(codes).size, name).toBeGreaterThan(1);
});

const reset = (url: string, sandbox: string) =>
  fetch(`${url}/api/sandbox`, { method: 'DELETE', headers: { 'x-sandbox': sandbox } });
