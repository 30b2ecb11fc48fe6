/** Messages with WS-Security, right and wrong. */

import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { parseXml, type XmlElement } from '../../src/http/xml/parse-xml.js';
import type { TestService } from '../support/service.js';
import { envelope, operation, type VersionName, versions } from '../support/soap.js';

/** The time of the services that get these messages. */
export const nowMs = Date.UTC(2026, 0, 1, 12);

export const securePath = '/api/soap/secure';

const oasis = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';
const wsse = `${oasis}wssecurity-secext-1.0.xsd`;
const wsu = `${oasis}wssecurity-utility-1.0.xsd`;
export const type = (name: string) => `${oasis}username-token-profile-1.0#Password${name}`;

/** Seconds from now. */
export const at = (seconds: number) => new Date(nowMs + seconds * 1000).toISOString();
export const user = { username: 'ada', password: 'ada-secret' };
const right = operation('Add', { intA: 2, intB: 3 });

export const timestamp = (created = at(0), expires = at(300)) =>
  `<u:Timestamp><u:Created>${created}</u:Created><u:Expires>${expires}</u:Expires></u:Timestamp>`;
export const token = (inside: string) => `<w:UsernameToken>${inside}</w:UsernameToken>`;
export const named = (rest: string, username = user.username) =>
  token(`<w:Username>${username}</w:Username>${rest}`);
export const plain = (password = user.password, rest = '') =>
  named(`<w:Password Type="${type('Text')}">${password}</w:Password>${rest}`);
export const security = (inside: string, attributes = '') =>
  `<w:Security xmlns:w="${wsse}" xmlns:u="${wsu}"${attributes}>${inside}</w:Security>`;

interface Digest {
  readonly nonce?: Buffer;
  readonly created?: string;
  readonly password?: string;
  readonly username?: string;
  /** The nonce that is hashed. */
  readonly parts?: (
    nonce: Buffer,
    created: string,
    password: string,
  ) => readonly (string | Buffer)[];
  readonly algorithm?: string;
  readonly encode?: (hash: Buffer) => string;
}

export function digest(options: Digest = {}): string {
  const { nonce = randomBytes(16), created = at(0), password = user.password } = options;
  const hash = createHash(options.algorithm ?? 'sha1');
  const parts = options.parts?.(nonce, created, password) ?? [nonce, created, password];
  for (const part of parts) hash.update(part);
  const text = (options.encode ?? ((bytes) => bytes.toString('base64')))(hash.digest());
  return named(
    `<w:Password Type="${type('Digest')}">${text}</w:Password><w:Nonce>${nonce.toString('base64')}</w:Nonce><u:Created>${created}</u:Created>`,
    options.username,
  );
}

interface Outcome {
  readonly status: number;
  /** The name of the operation. */
  readonly value?: string | undefined;
  /** Without a prefix. */
  readonly code?: string | undefined;
  readonly reason?: string | undefined;
}

export async function callSecurely(
  service: TestService,
  header: string,
  version: VersionName = '1.1',
  options: CallOptions = {},
) {
  const { content = right, at: target = securePath, sandbox } = options;
  const body = envelope(version, content, header && `<e:Header>${header}</e:Header>`);
  const response = await service.send(`POST ${target}`, {
    headers: {
      'Content-Type': versions[version].contentType,
      ...(sandbox !== undefined && { 'X-Sandbox': sandbox }),
    },
    body,
  });
  return readOutcome(response.status, response.text, version);
}

export interface CallOptions {
  readonly content?: string;
  readonly at?: string;
  readonly sandbox?: string;
}

export const child = (element: XmlElement | undefined, name: string) =>
  element?.children.find((each) => each.name === name);

export function readOutcome(status: number, text: string, version: VersionName): Outcome {
  const [content] = child(parseXml(text), 'Body')?.children ?? [];
  if (content?.name !== 'Fault') return { status, value: content?.children[0]?.text };
  if (version === '1.1') {
    const code = child(content, 'faultcode')?.text ?? '';
    if (code.startsWith('wsse:')) expect(text).toContain(`xmlns:wsse="${wsse}"`);
    return { status, code: code.replace(/^.*:/, ''), reason: child(content, 'faultstring')?.text };
  }
  const code = child(child(child(content, 'Code'), 'Subcode'), 'Value')?.text;
  expect(child(child(content, 'Code'), 'Value')?.text).toMatch(/^soap:(?:Sender|MustUnderstand)$/);
  const reason = child(child(content, 'Reason'), 'Text')?.text;
  return { status, code: code?.replace(/^.*:/, ''), reason };
}
