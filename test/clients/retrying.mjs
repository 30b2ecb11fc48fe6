/**
 * Makes the calls on the lines of standard input, all at once, by clients for Node and by curl.
 *
 * A line has client, method, URL, sandbox, idempotency key and body, with tabs between them. Prints
 * the status of each in turn, or 0 where the client gave up.
 */

import { execFile } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import axios from 'axios';
import axiosRetry, {
  exponentialDelay,
  isNetworkOrIdempotentRequestError,
  isRetryableError,
} from 'axios-retry';
import got from 'got';
import ky from 'ky';
import pRetry, { AbortError } from 'p-retry';
import { Agent, RetryAgent, request } from 'undici';

/** @typedef {{method: string, url: string, headers: Record<string, string>, body?: string}} Call */

/** @param {import('axios-retry').IAxiosRetryConfig} options */
const withAxios =
  (options) =>
  async (/** @type {Call} */ { body, ...call }) => {
    const client = axios.create();
    axiosRetry(client, options);
    return (await client.request({ ...call, ...(body && { data: body }) })).status;
  };

const hasKey = (/** @type {import('axios').AxiosError} */ { config }) =>
  config?.headers.has('Idempotency-Key') ?? false;

/** @param {NonNullable<import('got').OptionsInit['retry']>} retry */
const withGot =
  (retry) =>
  async (/** @type {Call} */ { url, method, headers, body }) => {
    const options = {
      method: /** @type {'GET'} */ (method),
      headers,
      ...(body && { body }),
      retry,
    };
    return (await got(url, options)).statusCode;
  };

/** @param {import('ky').RetryOptions} retry */
const withKy =
  (retry) =>
  async (/** @type {Call} */ { url, method, headers, body }) =>
    (await ky(url, { method, headers, ...(body && { body }), retry })).status;

/** @param {import('undici').RetryHandler.RetryOptions} options */
const withUndici =
  (options) =>
  async (/** @type {Call} */ { url, method, headers, body }) => {
    const dispatcher = new RetryAgent(new Agent(), options);
    try {
      const response = await request(url, { dispatcher, method, headers, ...(body && { body }) });
      await response.body.dump();
      return response.statusCode;
    } finally {
      await dispatcher.close();
    }
  };

const idempotent = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];
const isSafe = (/** @type {Call} */ { method, headers }) =>
  idempotent.includes(method) || 'Idempotency-Key' in headers;

/**
 * It repeats any function, so the function says what to repeat.
 *
 * @param {import('p-retry').Options} options
 * @param {(call: Call) => boolean} mayRepeat
 */
const withPRetry =
  (options, mayRepeat = () => true) =>
  (/** @type {Call} */ call) =>
    pRetry(async () => {
      const { status } = await fetch(call.url, call);
      if (status < 400) return status;
      const isTemporary = status === 429 || status >= 500;
      throw isTemporary && mayRepeat(call) ? new Error(`${status}`) : new AbortError(`${status}`);
    }, options);

/** @param {string} retries */
const withCurl =
  (retries) =>
  async (/** @type {Call} */ { url, method, headers, body }) => {
    const lines = Object.entries(headers).flatMap((pair) => ['-H', pair.join(': ')]);
    const given = body ? ['--data-binary', body] : [];
    const args = ['-s', '-w', '\n%{http_code}', '--retry', retries, '-X', method, ...lines];
    const { stdout } = await promisify(execFile)('curl', [...args, ...given, url]);
    return Number(stdout.split('\n').at(-1));
  };

const ownBackOff = (/** @type {number} */ attempt) => 300 * 4 ** (attempt - 1);
const fullJitter = { retries: 4, minTimeout: 300, randomize: true };

/** @type {Record<string, (call: Call) => Promise<number>>} */
const clients = {
  'axios-retry': withAxios({}),
  'axios-retry exponentialDelay': withAxios({
    retryDelay: (count, error) => exponentialDelay(count, error, 400),
  }),
  'axios-retry isRetryableError': withAxios({ retryCondition: isRetryableError }),
  'axios-retry for what has a key': withAxios({
    retryDelay: (count, error) => exponentialDelay(count, error, 400),
    retryCondition: (error) =>
      isNetworkOrIdempotentRequestError(error) || (isRetryableError(error) && hasKey(error)),
  }),
  got: withGot({}),
  'got methods': withGot({ methods: ['POST'] }),
  ky: withKy({}),
  'ky delay': withKy({ delay: ownBackOff }),
  'ky jitter': withKy({ jitter: true }),
  'ky methods': withKy({ methods: ['post'] }),
  'undici RetryAgent': withUndici({ minTimeout: 250, timeoutFactor: 4 }),
  'undici RetryAgent minTimeout': withUndici({ minTimeout: 10 }),
  'undici RetryAgent maxRetries': withUndici({ maxRetries: 3, minTimeout: 250 }),
  'undici RetryAgent methods': withUndici({
    methods: ['POST'],
    minTimeout: 250,
    timeoutFactor: 4,
  }),
  'p-retry': withPRetry({ retries: 3, minTimeout: 250, factor: 4 }),
  'p-retry randomize': withPRetry(fullJitter),
  'p-retry minTimeout': withPRetry({ retries: 3, minTimeout: 10, factor: 1 }),
  'p-retry for what is safe': withPRetry(fullJitter, isSafe),
  'curl --retry 3': withCurl('3'),
  'curl --retry 1': withCurl('1'),
};

const lines = (await text(process.stdin)).split('\n').filter((line) => line !== '');
const statuses = lines.map((line) => {
  const [client = '', method = '', url = '', sandbox = '', key, body] = line.split('\t');
  const headers = {
    'X-Sandbox': sandbox,
    ...(key && { 'Idempotency-Key': key }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return clients[client]?.({ method, url, headers, ...(body && { body }) }).catch(() => 0);
});
console.log((await Promise.all(statuses)).join('\n'));
