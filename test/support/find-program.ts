/** Third-party programs for tests, each with the package to install, the command and a check. */

import { spawnSync } from 'node:child_process';

interface Program {
  /** The package to install. */
  readonly name: string;
  /** The first that works is used. */
  readonly commands: readonly string[];
  /** Arguments with which it exits successfully. */
  readonly probe: readonly string[];
}

// Debian's own interpreter first: another one on the path would not find Debian's packages.
const pythons = ['/usr/bin/python3', 'python3'];
const pythonWith = (module: string): Program => ({
  name: `python3-${module}`,
  commands: pythons,
  probe: ['-c', `import ${module}`],
});

const programs = {
  aiohttp: pythonWith('aiohttp'),
  // A web server module; the server needs a configuration to exit successfully.
  'auth-openidc': {
    name: 'apache2-bin and libapache2-mod-auth-openidc',
    commands: ['sh'],
    probe: [
      '-c',
      'test -x /usr/sbin/apache2 && test -e /usr/lib/apache2/modules/mod_auth_openidc.so',
    ],
  },
  authlib: {
    name: 'python3-authlib and python3-requests',
    commands: pythons,
    probe: ['-c', 'import authlib, requests'],
  },
  backoff: pythonWith('backoff'),
  botocore: pythonWith('botocore'),
  // With the modules of the other formats, which are separate packages.
  cbor2: {
    name: 'python3-cbor2, python3-msgpack and python3-yaml',
    commands: pythons,
    probe: ['-c', 'import cbor2, msgpack, yaml'],
  },
  // Without a database it never exits successfully.
  certutil: { name: 'libnss3-tools', commands: ['sh'], probe: ['-c', 'command -v certutil'] },
  chromium: {
    name: 'chromium',
    commands: ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'],
    probe: ['--version'],
  },
  // The program of the package, or one on the path.
  codex: {
    name: '@openai/codex 0.171.0 (npm) in PRACTICE_CODEX',
    commands: [process.env.PRACTICE_CODEX ?? 'codex'],
    probe: ['--version'],
  },
  curl: { name: 'curl', commands: ['curl'], probe: ['--version'] },
  docker: { name: 'docker-compose', commands: ['docker-compose'], probe: ['version'] },
  fastapi: {
    name: 'python3-fastapi, python3-authlib, python3-httpx, python3-itsdangerous and python3-jwt',
    commands: pythons,
    probe: ['-c', 'import fastapi, authlib, httpx, itsdangerous, jwt'],
  },
  flask: {
    name: 'python3-flask, python3-authlib, python3-jwt and python3-requests',
    commands: pythons,
    probe: ['-c', 'import flask, authlib, jwt, requests'],
  },
  // A source library; the compiler gets its folder.
  'go-oidc': {
    name: 'golang-go, golang-github-coreos-go-oidc-dev and golang-golang-x-oauth2-dev',
    commands: ['sh'],
    probe: ['-c', 'go version && test -d /usr/share/gocode/src/github.com/coreos/go-oidc'],
  },
  'go-retryablehttp': {
    name: 'golang-go and golang-github-hashicorp-go-retryablehttp-dev',
    commands: ['sh'],
    probe: [
      '-c',
      'go version && test -d /usr/share/gocode/src/github.com/hashicorp/go-retryablehttp',
    ],
  },
  'gorilla-websocket': {
    name: 'golang-go and golang-github-gorilla-websocket-dev',
    commands: ['sh'],
    probe: ['-c', 'go version && test -d /usr/share/gocode/src/github.com/gorilla/websocket'],
  },
  go: { name: 'golang-go', commands: ['go'], probe: ['version'] },
  grpc: {
    name: 'python3-grpcio, protobuf-compiler, protobuf-compiler-grpc and python3-protobuf',
    commands: ['sh'],
    probe: [
      '-c',
      'protoc --version && test -x /usr/bin/grpc_python_plugin && /usr/bin/python3 -c "import grpc, google.protobuf"',
    ],
  },
  'grpc-go': {
    name: 'golang-go, golang-google-grpc-dev and golang-goprotobuf-dev',
    commands: ['sh'],
    probe: [
      '-c',
      'go version && command -v protoc-gen-go && test -d /usr/share/gocode/src/google.golang.org/grpc',
    ],
  },
  'grpc-java': {
    name: 'default-jdk-headless, libgrpc-java, libnetty-java, libprotobuf-java and protobuf-compiler-grpc-java-plugin',
    commands: ['sh'],
    probe: [
      '-c',
      'javac -version && test -x /usr/bin/grpc_java_plugin && test -e /usr/share/java/grpc-netty.jar && test -e /usr/share/java/netty-codec-http2.jar && test -e /usr/share/java/protobuf.jar',
    ],
  },
  h2: pythonWith('h2'),
  // Debian keeps it off the path of most users.
  haproxy: { name: 'haproxy', commands: ['haproxy', '/usr/sbin/haproxy'], probe: ['-v'] },
  // The test's program is compiled at its start.
  httpclient5: {
    name: 'default-jdk-headless and libhttpclient5-java',
    commands: ['sh'],
    probe: ['-c', 'javac -version && test -e /usr/share/java/httpclient5.jar'],
  },
  httpie: { name: 'httpie', commands: ['http'], probe: ['--version'] },
  httpx: pythonWith('httpx'),
  h2load: { name: 'nghttp2-client', commands: ['h2load'], probe: ['--version'] },
  // The folder where npm installed both versions.
  'json-server': {
    name: 'json-server 0.17.4 and json-server-1 (npm:json-server@1.0.0-beta.15) in PRACTICE_JSON_SERVER',
    commands: ['node'],
    probe: [
      '-e',
      "for (const name of ['json-server', 'json-server-1']) require('fs').accessSync([process.env.PRACTICE_JSON_SERVER, 'node_modules', name, 'package.json'].join('/'))",
    ],
  },
  'junit-console': {
    name: 'default-jdk-headless and junit5',
    commands: ['sh'],
    probe: ['-c', 'javac -version && test -e /usr/share/java/junit-platform-console.jar'],
  },
  nghttp: { name: 'nghttp2-client', commands: ['nghttp'], probe: ['--version'] },
  nginx: { name: 'nginx-light', commands: ['nginx', '/usr/sbin/nginx'], probe: ['-v'] },
  // Packages of the lab.
  'openapi-fetch': {
    name: 'openapi-fetch and openapi-typescript (by node lab/install-lab.js)',
    commands: ['node'],
    probe: [
      '-e',
      "for (const name of ['openapi-fetch', 'openapi-typescript', 'typescript-5']) require('fs').accessSync('lab/node_modules/' + name + '/package.json')",
    ],
  },
  openssl: { name: 'openssl', commands: ['openssl'], probe: ['version'] },
  pytest: pythonWith('pytest'),
  python: { name: 'python3', commands: pythons, probe: ['--version'] },
  redis: {
    name: 'redis-server',
    commands: ['redis-server', 'valkey-server'],
    probe: ['--version'],
  },
  requests: pythonWith('requests'),
  // Its help exits with a failure; an empty run does not.
  slowhttptest: {
    name: 'slowhttptest',
    commands: ['slowhttptest'],
    probe: ['-c', '1', '-l', '1', '-u', 'http://127.0.0.1:9/'],
  },
  sqlite3: { name: 'sqlite3', commands: ['sqlite3'], probe: ['--version'] },
  stripe: pythonWith('stripe'),
  suds: pythonWith('suds'),
  tenacity: pythonWith('tenacity'),
  urllib3: pythonWith('urllib3'),
  'systemd-analyze': {
    name: 'systemd',
    commands: ['systemd-analyze'],
    probe: ['--version'],
  },
  varnish: { name: 'varnish', commands: ['varnishd', '/usr/sbin/varnishd'], probe: ['-V'] },
  websockets: pythonWith('websockets'),
  wget: { name: 'wget', commands: ['wget'], probe: ['--version'] },
  xmllint: { name: 'libxml2-utils', commands: ['xmllint'], probe: ['--version'] },
  wss4j: {
    name: 'default-jdk-headless and libwss4j-java',
    commands: ['sh'],
    probe: ['-c', 'javac -version && test -e /usr/share/java/wss4j.jar'],
  },
  yaml: pythonWith('yaml'),
  yq: { name: 'yq', commands: ['yq'], probe: ['--version'] },
  zeep: pythonWith('zeep'),
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

/** The package to install for it. */
export const packageOf = (name: ProgramName): string => programs[name].name;

const found = new Map<ProgramName, readonly string[]>();

/** The commands that run it, the preferred one first. */
export function commandsOf(name: ProgramName): readonly string[] {
  const known = found.get(name);
  if (known !== undefined) return known;
  const { commands, probe }: Program = programs[name];
  const working = commands.filter((command) => spawnSync(command, probe).status === 0);
  found.set(name, working);
  return working;
}

/** Returns which of `names` are not installed; reports each once. In CI that is a failure. */
export function missingPrograms(names: readonly ProgramName[]): readonly ProgramName[] {
  return names.filter((name) => {
    const isNews = !found.has(name);
    if (commandsOf(name).length > 0) return false;
    const what = `${packageOf(name)}, which is not installed`;
    if (process.env.CI) throw new Error(`Tests in CI skip nothing, but some need ${what}.`);
    if (isNews) console.log(`Skipped: tests that need ${what}.`);
    return true;
  });
}
