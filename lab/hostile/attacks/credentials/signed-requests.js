/**
 * Requests with signatures and security headers that are expensive to verify, and thousands of
 * nonces.
 */

import { createHash, randomBytes } from 'node:crypto';
import { attacksOf } from '../../attacker.js';

const mebibyte = 1024 * 1024;
const width = 6;

const sigv4 = '/api/auth/sigv4';

/**
 * Writes a signature of zeros, so that the service tries each common mistake.
 *
 * @param {readonly string[]} names
 */
function signedByAws(names = []) {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/iam/aws4_request`;
  const signed = ['host', 'x-amz-date', ...names].sort().join(';');
  return {
    'X-Amz-Date': time,
    Authorization: `AWS4-HMAC-SHA256 Credential=AKIDPRACTICE/${scope}, SignedHeaders=${signed}, Signature=${'0'.repeat(64)}`,
  };
}

const secure = '/api/soap/secure';
const oasis = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';

/** @param {string} inside */
const message = (inside) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><w:Security xmlns:w="${oasis}wssecurity-secext-1.0.xsd" xmlns:u="${oasis}wssecurity-utility-1.0.xsd">${inside}</w:Security></e:Header><e:Body><Add xmlns="http://tempuri.org/"><intA>1</intA><intB>2</intB></Add></e:Body></e:Envelope>`;

function timestamp() {
  const time = (/** @type {number} */ ms) => new Date(Date.now() + ms).toISOString();
  return `<u:Timestamp><u:Created>${time(0)}</u:Created><u:Expires>${time(300_000)}</u:Expires></u:Timestamp>`;
}

/** @param {string} nonce @param {string} password */
function token(nonce, password) {
  const created = new Date().toISOString();
  const hash = createHash('sha1').update(Buffer.from(nonce, 'base64')).update(created);
  const digest = hash.update(password).digest('base64');
  return `<w:UsernameToken><w:Username>ada</w:Username><w:Password Type="${oasis}username-token-profile-1.0#PasswordDigest">${digest}</w:Password><w:Nonce>${nonce}</w:Nonce><u:Created>${created}</u:Created></w:UsernameToken>`;
}

const newNonce = () => randomBytes(16).toString('base64');

/** @param {string} text */
const filled = (text) => text.repeat(Math.floor((mebibyte - 2000) / text.length));

const soapType = { 'Content-Type': 'text/xml' };

export const signedRequestAttacks = attacksOf(
  {
    'wrong signatures of AWS over many headers, long queries and bodies': async (attacker) => {
      const names = Array.from({ length: 800 }, (_, index) => `n${index.toString(36)}`);
      const many = Object.fromEntries(names.map((name) => [name, '1']));
      const query = 'b=%C3%A9+&'.repeat(1400);
      const complaints = new Set();
      await attacker.repeat(width, async () => {
        const responses = [
          await attacker.ask('GET', sigv4, { headers: { ...signedByAws(names), ...many } }),
          await attacker.ask('GET', `${sigv4}/a?${query}`, { headers: signedByAws() }),
          await attacker.ask('GET', `${sigv4}/${'a/../'.repeat(380)}`, { headers: signedByAws() }),
          await attacker.ask('POST', sigv4, { headers: signedByAws(), body: filled('x') }),
        ];
        for (const { status } of responses) {
          // HAProxy rejects more than 101 headers with 400.
          if (![400, 403, 431].includes(status))
            complaints.add(`a wrong signature of AWS: ${status}`);
        }
      });
      return [...complaints];
    },
    'deep and large Security headers': async (attacker) => {
      const bodies = [
        message(filled('<w:UsernameToken/>')),
        message(`${'<a>'.repeat(60)}${filled('<u:Timestamp/>')}${'</a>'.repeat(60)}`),
        message(`${timestamp()}${token(filled('A'), 'ada-secret')}`),
        message(
          timestamp() +
            token(newNonce(), 'x').replace(/(?<=Created>)[^<]*(?=<\/u:Created><\/w)/, filled('T')),
        ),
        message(timestamp() + token(newNonce(), 'wrong')),
      ];
      const complaints = new Set();
      await attacker.repeat(width, async () => {
        for (const body of bodies) {
          const { status } = await attacker.ask('POST', secure, { headers: soapType, body });
          if (status !== 500) complaints.add(`a wrong Security header: ${status}`);
        }
      });
      return [...complaints];
    },
    'nonces that are replayed, and thousands of new ones': async (attacker) => {
      const sandbox = { 'X-Sandbox': 'nonces', ...soapType };
      const account = attacker.sameAccount;
      const body = message(timestamp() + token(newNonce(), 'ada-secret'));
      const replay = () => attacker.ask('POST', secure, { ...account, headers: sandbox, body });
      const replays = await Promise.all(Array.from({ length: 10 }, replay));
      const accepted = replays.filter(({ status }) => status === 200).length;
      await attacker.repeat(width, () => {
        const fresh = message(timestamp() + token(newNonce(), 'ada-secret'));
        return attacker.ask('POST', secure, { ...account, headers: sandbox, body: fresh });
      });
      return accepted === 1 ? [] : [`A nonce was accepted ${accepted} times.`];
    },
  },
  { reaches: [200, 400, 403, 431, 500] },
);
