/** Apache with mod_auth_openidc, used by a browser; it discovers each issuer itself. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { vi } from 'vitest';
import { clientId, clientSecret } from './browser.js';

interface Step {
  readonly name: string;
  readonly issuer: string;
}

const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'auth_openidc'];

const configuration = (folder: string, port: number) => `
ServerRoot ${folder}
PidFile ${folder}/pid
DefaultRuntimeDir ${folder}
Mutex file:${folder}
Listen 127.0.0.1:${port}
ServerName 127.0.0.1
ErrorLog ${folder}/error.log
ErrorLogFormat "%m %M"
LogLevel notice
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup' : ''}
StartServers 1
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
DocumentRoot ${folder}/www
OIDCMetadataDir ${folder}/issuers
OIDCCacheType file
OIDCCacheDir ${folder}/cache
OIDCRedirectURI http://127.0.0.1:${port}/callback
OIDCCryptoPassphrase practice
OIDCScope "openid profile offline_access"
OIDCHTTPTimeoutShort 60
OIDCHTTPTimeoutLong 60
OIDCPKCEMethod S256
OIDCAuthRequestParams auto=ada
OIDCInfoHook access_token refresh_token
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
`;

export async function logInAtApache(
  folder: string,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, string | null>> {
  const port = await freePort();
  for (const name of ['issuers', 'cache', 'www']) {
    mkdirSync(join(folder, name));
    // Started by root, it runs as another user.
    chmodSync(join(folder, name), 0o777);
  }
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'www/private.txt'), 'private');
  const client = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  for (const { issuer } of steps) {
    const name = encodeURIComponent(issuer.replace('http://', ''));
    writeFileSync(join(folder, 'issuers', `${name}.client`), client);
  }
  const file = join(folder, 'apache.conf');
  writeFileSync(file, configuration(folder, port));
  const log = join(folder, 'error.log');
  const apache = spawn('/usr/sbin/apache2', ['-f', file, '-DFOREGROUND'], { stdio: 'ignore' });
  const ended = once(apache, 'exit');
  try {
    const read = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    await vi.waitUntil(() => read().includes('resuming normal operations'), { timeout: 30_000 });
    const verdicts = new Map<string, string | null>();
    for (const { name, issuer } of steps) {
      const { length } = read();
      const fault = await logIn(`http://127.0.0.1:${port}`, issuer);
      const reason = reasonIn(read().slice(length).split('\n'));
      verdicts.set(name, fault === undefined ? null : (reason ?? fault));
    }
    return verdicts;
  } finally {
    apache.kill();
    await ended;
  }
}

function reasonIn(log: readonly string[]): string | undefined {
  const line = log.find((each) =>
    /^auth_openidc (?!.*(?:no file found|oidc_jwk_parse_json))/.test(each),
  );
  return line?.replace(/^auth_openidc (?:AH\d+: )?/, '').replace(/, referer: .*$/, '');
}

/** Acts as a browser with cookies; returns why it got no page, or `undefined`. */
async function logIn(application: string, issuer: string): Promise<string | undefined> {
  const cookies = new Map<string, string>();
  // Not fetch, which sends a header that shows it is no browser.
  const visit = async (url: string) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const { statusCode, headers, body } = await request(url, {
      headers: { accept: 'text/html', cookie },
    });
    for (const each of [headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: statusCode, location: headers.location, text: await body.text() };
  };
  const target = `${application}/private.txt`;
  // The page that lets the user choose an issuer.
  const [, proof = ''] = /name="x_csrf" value="([^"]*)"/.exec((await visit(target)).text) ?? [];
  const begin = new URLSearchParams({
    iss: issuer,
    target_link_uri: target,
    method: 'get',
    x_csrf: proof,
  });
  const begun = await visit(`${application}/callback?${begin}`);
  if (typeof begun.location !== 'string') return `It responds with ${begun.status}.`;
  const { headers } = await fetch(begun.location, { redirect: 'manual' });
  const response = headers.get('location') ?? '';
  const back = await visit(response);
  if (back.location !== target) return `It responds with ${back.status}, without a login.`;
  const shown = await visit(target);
  if (shown.text !== 'private') return `It responds with ${shown.status}.`;
  const info = JSON.parse((await visit(`${application}/callback?info=json`)).text);
  const refresh = new URLSearchParams({ refresh: target, access_token: info.access_token });
  await visit(`${application}/callback?${refresh}`);
  const fresh = JSON.parse((await visit(`${application}/callback?info=json`)).text);
  const authorization = `Bearer ${fresh.access_token}`;
  const { status } = await fetch(`${issuer}/api/me`, { headers: { authorization } });
  const exit = await visit(`${application}/callback?logout=${encodeURIComponent(target)}`);
  return status === 200 && exit.status === 302 ? undefined : `The API responds with ${status}.`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
