import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../src/faults/plan/fault-plan.js';
import { everyThird } from '../support/every-third.js';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();

/** A URL in a sandbox where the first request meets a fault. */
async function addressWith(fault: Fault) {
  const sandbox = `client-${randomUUID()}`;
  const { status } = await service.send('PUT /api/sandbox/faults', {
    headers: { 'x-sandbox': sandbox },
    json: { rules: [{ sequence: [fault] }] },
  });
  expect(status).toBe(200);
  return { url: `${service.url}/api/Books/1`, sandbox };
}

const faults = {
  empty: { empty: true },
  reset: { reset: true },
  truncate: { truncate: 20 },
  cutChunk: { cutChunk: 20 },
  badChunk: { badChunk: true },
  invalidJson: { invalidJson: true },
  corruptEncoding: { corruptEncoding: 'gzip' },
  hang: { hang: true },
  slow: { slow: 5000 },
  closeAfter: { closeAfter: true },
  contentType: { contentType: 'text/plain' },
  status: { status: 503 },
  delayMs: { delayMs: 20 },
  refuse: { refuse: true },
  goaway: { goaway: true },
  'head lf': { head: 'lf' },
  'head http10': { head: 'http10' },
  'head until-close': { head: 'until-close' },
  'head extra-bytes': { head: 'extra-bytes' },
  'head two-lengths': { head: 'two-lengths' },
} as const satisfies Record<string, Fault>;
type FaultName = keyof typeof faults;

/**
 * A client's result for each fault: the name of its error, or the status where it accepts the
 * response.
 */
type Outcomes = Readonly<Record<FaultName, string | RegExp>>;

/** Responses that any client accepts. */
const taken = {
  slow: '200',
  closeAfter: '200',
  contentType: '200',
  status: '503',
  delayMs: '200',
  goaway: '200',
  'head http10': '200',
  'head until-close': '200',
};

/** How long a client waits for data that never arrives. */
const timeoutMs = 1500;

interface Client {
  readonly outcomes: Outcomes;
  /** Requests the JSON at a URL, and reports the result. */
  readonly ask: (url: string, sandbox: string) => Promise<string>;
}

async function askByFetch(url: string, sandbox: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { headers: { 'x-sandbox': sandbox }, signal });
    await response.json();
    return String(response.status);
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return [name, cause?.code].filter(Boolean).join(' ');
  }
}

function askByNode(url: string, sandbox: string): Promise<string> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve(`${error.code ?? error.name}: ${error.message}`);
    const request = get(url, { headers: { 'x-sandbox': sandbox }, timeout: timeoutMs });
    request.on('timeout', () => request.destroy(new Error('timeout')));
    request.on('error', fail);
    request.on('response', (response: IncomingMessage) => {
      textOf(response)
        .then((body) => {
          JSON.parse(body);
          resolve(String(response.statusCode));
        })
        .catch(fail);
    });
  });
}

const curl = foreignProgram('curl');

function askByCurl(url: string, sandbox: string): Promise<string> {
  const args = [
    '-s',
    '--compressed',
    '-m',
    String(timeoutMs / 1000),
    '-o',
    '/dev/null',
    '-w',
    '%{http_code}',
  ];
  return new Promise((resolve) => {
    execFile(curl.command, [...args, '-H', `X-Sandbox: ${sandbox}`, url], (error, stdout) => {
      resolve(error ? `exit ${error.code}` : stdout);
    });
  });
}

function askByPython(module: 'requests' | 'httpx') {
  const python = foreignProgram(module);
  return async (url: string, sandbox: string): Promise<string> => {
    const code = [
      `import ${module} as client`,
      'try:',
      `    response = client.get(${JSON.stringify(url)}, headers={"X-Sandbox": "${sandbox}"}, timeout=${timeoutMs / 1000})`,
      '    response.json()',
      '    print(response.status_code)',
      'except Exception as error:',
      '    print(type(error).__name__ + ": " + str(error))',
    ];
    return (await python.run('-c', code.join('\n'))).trim();
  };
}

const clients: Readonly<Record<string, Client>> = {
  fetch: {
    ask: askByFetch,
    outcomes: {
      ...taken,
      empty: 'TypeError UND_ERR_SOCKET',
      reset: 'TypeError ECONNRESET',
      truncate: 'TypeError UND_ERR_SOCKET',
      cutChunk: 'TypeError UND_ERR_SOCKET',
      // The package undici, once another test has loaded it, serves fetch too, and names some errors otherwise.
      badChunk: /^TypeError(?: HPE_INVALID_CHUNK_SIZE| UND_ERR_SOCKET)?$/,
      invalidJson: 'SyntaxError',
      corruptEncoding: 'TypeError Z_DATA_ERROR',
      refuse: 'TypeError UND_ERR_SOCKET',
      'head lf': /^TypeError(?: HPE_\w+)?$/,
      'head extra-bytes': '200',
      'head two-lengths':
        /^TypeError (?:HPE_UNEXPECTED_CONTENT_LENGTH|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
      hang: 'TimeoutError',
    },
  },
  'node:http': {
    ask: askByNode,
    outcomes: {
      ...taken,
      empty: 'ECONNRESET: socket hang up',
      reset: 'ECONNRESET: read ECONNRESET',
      truncate: 'ECONNRESET: aborted',
      cutChunk: 'ECONNRESET: aborted',
      badChunk: /^HPE_INVALID_CHUNK_SIZE|^ECONNRESET: aborted/,
      invalidJson: /^SyntaxError/,
      // It leaves decoding to its caller.
      corruptEncoding: /^SyntaxError/,
      refuse: 'ECONNRESET: socket hang up',
      'head lf': /^HPE_/,
      'head extra-bytes': /^200$|^HPE_INVALID_CONSTANT/,
      'head two-lengths': /^HPE_UNEXPECTED_CONTENT_LENGTH/,
      hang: /timeout/,
    },
  },
  curl: {
    ask: askByCurl,
    outcomes: {
      ...taken,
      empty: 'exit 52',
      reset: 'exit 56',
      truncate: 'exit 18',
      cutChunk: 'exit 18',
      badChunk: 'exit 56',
      // It does not parse bodies.
      invalidJson: '200',
      corruptEncoding: /^exit (?:23|61)$/,
      refuse: 'exit 52',
      'head lf': '200',
      'head extra-bytes': '200',
      // Versions differ in what they reject: the head, or a body that is shorter than the second
      // length.
      'head two-lengths': /^exit (?:8|18)$/,
      hang: 'exit 28',
    },
  },
  requests: {
    ask: askByPython('requests'),
    outcomes: {
      ...taken,
      empty: /^ConnectionError: .*Remote end closed connection without response/,
      reset: /^ConnectionError: .*(?:Connection reset by peer|ECONNRESET)/,
      // Before urllib3 2 it does not check the length, and parsing the JSON reports the truncation.
      truncate: /^(?:JSONDecodeError|ChunkedEncodingError|ConnectionError)/,
      cutChunk: /^ChunkedEncodingError/,
      badChunk: /^ChunkedEncodingError: .*InvalidChunkLength/,
      invalidJson: /^JSONDecodeError/,
      corruptEncoding: /^ContentDecodingError/,
      refuse: /^ConnectionError: .*Remote end closed connection without response/,
      'head lf': '200',
      'head extra-bytes': '200',
      'head two-lengths': /^InvalidHeader/,
      hang: /^ReadTimeout/,
    },
  },
  httpx: {
    ask: askByPython('httpx'),
    outcomes: {
      ...taken,
      empty: 'RemoteProtocolError: Server disconnected without sending a response.',
      reset: /^ReadError/,
      truncate:
        /^RemoteProtocolError: peer closed connection without sending complete message body/,
      cutChunk:
        /^RemoteProtocolError: peer closed connection without sending complete message body/,
      badChunk: /^RemoteProtocolError/,
      invalidJson: /^JSONDecodeError/,
      corruptEncoding: /^DecodingError/,
      refuse: 'RemoteProtocolError: Server disconnected without sending a response.',
      'head lf': '200',
      'head extra-bytes': '200',
      'head two-lengths': 'RemoteProtocolError: conflicting Content-Length headers',
      hang: /^ReadTimeout/,
    },
  },
};

/** Clients that are not programs are always installed. */
const testOf = (name: string) =>
  name === 'curl' || name === 'requests' || name === 'httpx' ? foreignProgram(name).test : test;

describe.each(Object.keys(clients))('%s', (name) => {
  const { ask, outcomes } = clients[name] as Client;
  testOf(name).each(everyThird(Object.keys(faults) as FaultName[]))(
    'handles %s as documented',
    async (fault) => {
      const { url, sandbox } = await addressWith(faults[fault]);
      const outcome = await ask(url, sandbox);
      const expected = outcomes[fault];
      if (typeof expected === 'string') expect(outcome).toBe(expected);
      else expect(outcome).toMatch(expected);
      const next = await ask(url, sandbox);
      // Intended by the fault: a client that kept the connection may send into a closing one.
      if (fault === 'closeAfter' || fault.startsWith('head '))
        expect(next).toMatch(/^200$|ECONNRESET|UND_ERR_SOCKET/);
      else expect(next).toBe('200');
    },
  );
});
