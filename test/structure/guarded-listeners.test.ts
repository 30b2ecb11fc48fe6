/** Listeners and timers of connections are made by `guard` (src/wire/guard.ts), so that their errors end no process. */

import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

/** Methods and functions that keep a function for later, with the place of that function among the arguments. */
const keepers: Readonly<Record<string, number>> = {
  on: 1,
  once: 1,
  addListener: 1,
  prependListener: 1,
  prependOnceListener: 1,
  addEventListener: 1,
  setTimeout: 0,
  setInterval: 0,
  setImmediate: 0,
  queueMicrotask: 0,
  nextTick: 0,
};

const mayKeep = new RegExp(`\\b(?:${Object.keys(keepers).join('|')})\\(`);

/** Files whose listeners and timers belong to no connection of a client, and why. */
const others: Readonly<Record<string, string>> = {
  'src/program/health-check.ts': 'A separate process that sends one request.',
  'src/program/run-compiled.ts': 'The process.',
  'src/program/run-program.ts': 'The process.',
  'src/listen/forward.ts': 'The listener, which is another program.',
  'src/listen/listen.ts': 'The listener, which is another program.',
  'src/stdio/read-events.ts': 'The listener and the bridge, which are other programs.',
  'src/service.ts': 'The end of the service.',
  'src/state/file/file-lock.ts': 'The state.',
  'src/state/file/file-state.ts': 'The state.',
  'src/state/redis/redis-client.ts': 'The connection to Redis.',
  'src/state/redis/redis-connection.ts': 'The connection to Redis.',
  'src/state/redis/registry.ts': 'The state.',
  'src/state/wakes.ts': 'The state.',
  'src/areas/data/jobs/jobs.ts': 'Jobs go on when their client has left.',
  'src/areas/mcp/methods/watch-changes.ts': 'A wait, which is only aborted.',
  'src/http/xml/parse-xml.ts': 'A parser, whose caller catches.',
  'src/http/body/read-parts.ts': 'A parser, whose caller catches.',
};

type Node = { readonly type: string; readonly start: number; readonly end: number } & {
  readonly [key: string]: unknown;
};

const root = new URL('../../', import.meta.url);
const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => `src/${file}`)
  .filter((path) => others[path] === undefined);

const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Returns the functions that are kept for later without a guard, as text. */
function unguarded(text: string): string[] {
  if (!mayKeep.test(text)) return [];
  const nodes = [...within(parseSync('a.ts', text).program as unknown as Node)];
  const safe = namesOfSafe(nodes, text);
  return nodes
    .map(keptBy)
    .filter((kept) => kept !== undefined && !isSafe(kept, safe, text))
    .map((kept) =>
      sourceOf(kept as Node, text)
        .replace(/\s+/g, ' ')
        .slice(0, 80),
    );
}

const sourceOf = ({ start, end }: Node, text: string) => text.slice(start, end);

function* within(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node).flat()) {
    if (typeof value === 'object' && value !== null && 'type' in value) {
      yield* within(value as Node);
    }
  }
}

/** Returns the function that a call keeps; `undefined` for everything else. */
function keptBy(node: Node): Node | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node.callee as Node;
  const isMethod = callee.type === 'MemberExpression';
  if (!isMethod && callee.type !== 'Identifier') return undefined;
  const { name = '', type } = (isMethod ? callee.property : callee) as Partial<
    Record<'name' | 'type', string>
  >;
  const given = node.arguments as readonly Node[];
  // The timer of a socket has its function second; the one of a promise has none.
  const isOfSocket = isMethod && name === 'setTimeout';
  const place = isOfSocket ? 1 : keepers[name];
  const isOther = type !== 'Identifier' || place === undefined || (!isMethod && place === 1);
  const isPromise = name === 'setTimeout' && given.length < 2;
  return isOther || isPromise || given.length > mostGiven ? undefined : given[place];
}

/** More are no event and listener, nor a function and a time. */
const mostGiven = 3;

/** Returns the names of values and fields that `guard` made, and of empty functions. */
function namesOfSafe(nodes: readonly Node[], text: string): Set<string> {
  const sweeps = nodes.filter((node) => node.type === 'MethodDefinition' && isSweep(node, text));
  const names = new Set(sweeps.map(({ key }) => nameOf(key as Node, text)));
  for (const node of nodes) {
    const { id, key, init, value, left, right, body } = node as Record<string, Node | undefined>;
    const [name, made] =
      node.type === 'AssignmentExpression' ? [left, right] : [id ?? key, init ?? value];
    if (node.type === 'FunctionDeclaration' && body && isEmpty(body)) names.add(nameOf(id, text));
    else if (made && name && isSafe(made, names, text)) names.add(nameOf(name, text));
  }
  return names;
}

/** Returns whether a method does something for each connection, with a guard for each. */
const isSweep = (node: Node, text: string) => / of .*\bguard\(/s.test(sourceOf(node, text));

const nameOf = (node: Node | undefined, text: string) =>
  node === undefined ? '' : sourceOf(node, text).replace(/^this\.|:.*$/gs, '');

function isSafe(node: Node, names: ReadonlySet<string>, text: string): boolean {
  if (node.type === 'CallExpression') return /^guard\b/.test(sourceOf(node, text));
  if (node.type === 'LogicalExpression') return isSafe(node.right as Node, names, text);
  if (node.type === 'ArrowFunctionExpression') {
    const body = node.body as Node;
    const called = /^(?:this\.)?(#\w+)\(\)$/.exec(sourceOf(body, text))?.[1] ?? '';
    return isEmpty(body) || names.has(called) || isGuardedCall(body, text);
  }
  const name = nameOf(node, text);
  // A function that settles a promise throws nothing.
  return ['resolve', 'reject'].includes(name) || names.has(name);
}

const isEmpty = ({ type, body }: Node) =>
  (type === 'BlockStatement' || type === 'FunctionBody') && (body as readonly Node[]).length === 0;

/**
 * Returns whether a listener of a server only calls what `guard` made for the connection, or a listener only aborts, which
 * throws nothing.
 */
function isGuardedCall(body: Node, text: string): boolean {
  const statements = Array.isArray(body.body) ? (body.body as readonly Node[]) : [body];
  return statements.every((each) =>
    /^(?:if \([^;]*\) )?guard\(|^const \w+ = this\.#\w+;$|^\w+\.abort\(\)$/.test(
      sourceOf(each, text),
    ),
  );
}

describe('listeners and timers', () => {
  test('of connections are guarded', () => {
    const found = files.flatMap((path) =>
      unguarded(textOf(path)).map((listener) => `${path}: ${listener}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    "socket.on('data', (chunk) => this.receive(chunk));",
    "socket.once('close', release);",
    'setTimeout(() => session.close(), 5);',
    'setImmediate(end);',
    'process.nextTick(() => this.emit());',
    'stream.setTimeout(5, listen);',
    "const f = () => { throw new Error(); }; socket.on('data', f);",
    "server.on('connection', (socket) => { socket.destroy(); guard(socket, begin)(socket); });",
  ])('without a guard are found: %s', (text) => {
    expect(unguarded(text)).toHaveLength(1);
  });

  test.each([
    "socket.on('data', guard(socket, receive));",
    "const end = guard(socket, () => socket.destroy()); socket.once('end', end);",
    "socket.on('error', () => {});",
    "socket.once('drain', resolve);",
    "server.on('connection', (socket) => guard(socket, begin)(socket));",
    'stream.setTimeout(5);',
  ])('with a guard are not found: %s', (text) => {
    expect(unguarded(text)).toEqual([]);
  });

  test.each(Object.keys(others))('of %s belong to no connection', (path) => {
    expect(unguarded(textOf(path))).not.toEqual([]);
  });
});
