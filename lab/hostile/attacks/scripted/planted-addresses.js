/** Addresses of pupils, which are keys, planted in every header, query and path of requests that others read about. */

import { setTimeout as sleep } from 'node:timers/promises';
import { attacksOf } from '../../attacker.js';
import { createClass, join } from './classes.js';

const headerNames = [
  ...['Referer', 'Origin', 'User-Agent', 'Via', 'X-Forwarded-For', 'X-Forwarded-Prefix', 'Cookie'],
  ...['X-Original-URL', 'X-Rewrite-URL', 'Link', 'Location', 'Content-Location', 'Destination'],
  ...['SOAPAction', 'Idempotency-Key', 'X-Request-Id', 'Accept-Language', 'X-Anything'],
];

/** @param {string} text */
const inHex = (text) => [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');

/** @type {readonly ((path: string) => string)[]} */
const forms = [
  (path) => path,
  (path) => `https://example.com${path}${path}/api/Books?x=1`,
  (path) => path.replace('/s/', '/%53/').replace('~', '%7e'),
  (path) => encodeURIComponent(path),
  (path) => encodeURIComponent(inHex(path)),
  (path) => inHex(inHex(path)),
  (path) => Buffer.from(`{"iss":"http://a${path}/oidc"}`).toString('base64url'),
];

/**
 * Sends the forms of a pupil's address in all parts of requests to a target.
 *
 * @param {import('../../attacker.js').Attacker} attacker
 * @param {string} path Of the pupil
 * @param {string} target
 */
async function plant(attacker, path, target) {
  const statuses = [];
  for (const write of forms) {
    const text = write(path);
    const segment = text.replace(/[?#]/g, '/');
    const headers = Object.fromEntries(headerNames.map((name) => [name, text]));
    for (const place of [
      `/${segment}?x=${text}&sort=${text}`,
      `?to=${text}&${encodeURIComponent(text)}`,
    ]) {
      const { status } = await attacker.ask('POST', path + target + place, { headers });
      statuses.push(status);
    }
  }
  return statuses;
}

/** @param {string} text @param {string} path */
function shows(text, path) {
  const secret = path.slice('/s/~'.length);
  let decoded = text;
  for (let before = ''; before !== decoded; ) {
    before = decoded;
    decoded = decoded.replace(/%([0-7][\da-f])/gi, (_all, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  const tokens = decoded.match(/[\w-]{40,}/g) ?? [];
  return [decoded, ...tokens.map((each) => String(Buffer.from(each, 'base64url')))].some((each) =>
    each.includes(secret),
  );
}

/** Any address in the log. */
const loggedAddress = /\/s\/~[\w-]{22}/i;

export const plantedAttacks = attacksOf(
  {
    'addresses of pupils in bins of strangers, on the board, in recordings and in the log': {
      flags: ['--log-level', 'debug'],
      async run(attacker) {
        const { id, joinCode, teacherKey } = await createClass(attacker);
        const path = await join(attacker, joinCode, 'Ada');
        const headers = { 'X-Teacher-Key': teacherKey };
        const bin = await attacker.newBin();
        const plan = {
          rules: [{ match: { path: '/httpbin/*' }, sequence: [{ status: 503 }], then: 'last' }],
        };
        await attacker.send('PUT', `${path}/api/sandbox/faults`, plan);
        const captured = await plant(attacker, path, `/api/webhooks/${bin}`);
        await plant(attacker, path, '/httpbin/anything');
        await plant(attacker, path, '/nowhere');
        /** @param {string} target @param {Record<string, string>} [more] */
        const read = async (target, more = {}) =>
          (
            await attacker.ask('GET', target, {
              ...attacker.sameAccount,
              headers: { ...headers, ...more },
            })
          ).text;
        const har = { Accept: 'application/har+json' };
        const requests = `/api/classes/${id}/pupils/1/requests`;
        /** @type {[name: string, text: string, reached: string][]} */
        const places = [
          ['the bin', await read(`/api/webhooks/bins/${bin}`), '/s/~…/api/webhooks/'],
          ['the board', await read(`/api/classes/${id}`), '"last":{'],
          ['the recording', await read(requests), '/httpbin/anything'],
          ['the HAR', await read(requests, har), 'Referer'],
          ['the fault log', await read(`${path}/api/sandbox/faults/log`), '/httpbin/anything'],
          ['an error', await read(`${path}/nowhere${path}`), 'There is nothing'],
        ];
        await sleep(200);
        const failed = captured.filter((status) => status !== 200);
        return [
          ...(failed.length > 0 ? [`the bin captured nothing: ${failed}`] : []),
          ...places.flatMap(([name, text, reached]) =>
            text.toLowerCase().includes(reached.toLowerCase())
              ? []
              : [`${name} was not reached: ${text.slice(0, 200)}`],
          ),
          ...places.flatMap(([name, text]) =>
            shows(text, path) ? [`${name} shows the address of a pupil`] : [],
          ),
        ];
      },
      judgeOutput(output) {
        const lines = output.split('\n').filter((line) => line.startsWith('{'));
        const line = lines.find((each) => loggedAddress.test(each));
        return [
          ...(lines.some((each) => each.includes('/s/~…'))
            ? []
            : ['no planted header is in the log']),
          ...(line === undefined ? [] : [`an address is in the log: ${line.slice(0, 300)}`]),
        ];
      },
    },
  },
  { reaches: [200, 201, 503, /There is nothing/] },
);
