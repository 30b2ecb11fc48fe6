/** oidc-client-ts in a page of Chromium, as in a single-page application. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { flags } from '../../support/browser.js';
import { commandsOf } from '../../support/find-program.js';
import { follow } from './browser.js';

interface Step {
  readonly name: string;
  readonly issuer: string;
}

/** The page's result for each step: a name and null or words. */
export async function logInAll(
  steps: readonly Step[],
): Promise<readonly (readonly [string, string | null])[]> {
  const [executablePath = ''] = commandsOf('chromium');
  const server = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>App</title>'),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const page = await browser.newPage();
    // The page of a real application would navigate away and return.
    await page.exposeFunction('follow', async (url: string) => {
      try {
        return { arrived: (await follow(url)).href };
      } catch (error) {
        return { fault: (error as Error).message };
      }
    });
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    const file = createRequire(import.meta.url).resolve('oidc-client-ts');
    const bundle = file.replace(/dist\/.*$/, 'dist/browser/oidc-client-ts.min.js');
    await page.addScriptTag({ content: readFileSync(bundle, 'utf8') });
    return (await page.evaluate(`(${inPage})(${JSON.stringify(steps)})`)) as never;
  } finally {
    await browser.close();
    server.close();
  }
}

const inPage = `async (steps) => {
  const logIn = async ({ issuer }) => {
    const manager = new oidc.UserManager({
      authority: issuer,
      client_id: 'demo-spa',
      redirect_uri: 'http://127.0.0.1:4711/callback',
      post_logout_redirect_uri: 'http://127.0.0.1:4711/',
      scope: 'openid profile offline_access',
      loadUserInfo: true,
      automaticSilentRenew: false,
      extraQueryParams: { auto: 'ada' },
      userStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
    });
    // It navigates by itself; here the address is what matters.
    const client = new oidc.OidcClient(manager.settings);
    const { url } = await client.createSigninRequest({ request_type: 'si:r', nonce: crypto.randomUUID() });
    const { arrived, fault } = await follow(url);
    if (fault !== undefined) throw new Error(fault);
    const user = await manager.signinCallback(arrived);
    const fresh = await manager.signinSilent();
    const headers = { authorization: 'Bearer ' + fresh.access_token };
    const response = await fetch(issuer + '/api/me', { headers });
    if (!response.ok) throw new Error('The API responded with ' + response.status);
    const out = await client.createSignoutRequest({ id_token_hint: user.id_token });
    await follow(out.url);
  };
  return Promise.all(steps.map((step) => logIn(step).then(
    () => [step.name, null],
    (error) => [step.name, error.message],
  )));
}`;
