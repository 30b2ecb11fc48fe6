/** The list of cases at the root of the lab: JSON, or a page without scripts. */

import { lazily } from '#base/lazily.js';
import { prefersPage } from '#http/negotiation/read-preferences.js';
import { html } from '#kit/pages/html.js';
import { renderOffered } from '#kit/pages/offered-list.js';
import { fillShell } from '#kit/pages/send-page.js';
import type { Case } from '../cases/case.js';
import { caseGroups, cases } from '../cases/cases.js';
import type { LabResponse } from '../connection/lab.js';

/** Returns the cases, with their URLs at the lab. */
export const described = (urls: Readonly<Record<string, string>> = {}) =>
  Object.entries(cases).map(([name, { what, rightClient, section, level, ...more }]) => ({
    ...{ case: name, what, rightClient, section, level },
    ...(more.method && { method: more.method }),
    ...(more.bodyBytes && { bodyBytes: more.bodyBytes }),
    ...(more.requests && { requests: more.requests }),
    ...Object.fromEntries(Object.entries(urls).map(([key, url]) => [key, `${url}/${name}`])),
  }));

const places = { url: '{url}', tlsUrl: '{tlsUrl}' };
const lists = [lazily(() => listOf({ url: places.url })), lazily(() => listOf(places))] as const;
const listOf = (urls: Readonly<Record<string, string>>) => JSON.stringify(described(urls));

/** Returns the list as JSON, which is written once. */
function listWith(urls: Readonly<Record<string, string>>): string {
  const list = lists['tlsUrl' in urls ? 1 : 0]();
  return list.replaceAll(/\{(url|tlsUrl)\}/g, (_, name) => urls[name] ?? '');
}

const noScripts = (page: string) => page.replaceAll(/<script\b[^<>]*><\/script>/g, '');

/** Only the styles and images of the service, and no script. */
function policyFor(mainUrl: string): string {
  const { origin } = new URL(mainUrl);
  const nothing = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'];
  const rules = nothing.map((name) => `${name} 'none'`);
  return [...rules, `style-src ${origin}`, `img-src ${origin} data:`].join('; ');
}

/** `mainUrl` has the styles, and what the header leads to. */
export async function listFor(
  accept: string,
  urls: Readonly<Record<string, string>>,
  mainUrl: string,
): Promise<LabResponse> {
  if (!prefersPage(accept)) {
    return { status: 200, type: 'application/json', body: listWith(urls) };
  }
  const page = await fillShell('http2', `${mainUrl}/`, { '<!-- cases -->': renderCases().text });
  const headers = { 'content-security-policy': policyFor(mainUrl) };
  return { status: 200, type: 'text/html', body: noScripts(page), headers };
}

const renderCases = lazily(
  () =>
    html`${Object.entries(caseGroups).map(([title, own]) =>
      renderOffered(title.toLowerCase(), title, Object.entries(own).map(offer)),
    )}`,
);

function offer([name, each]: readonly [name: string, each: Case]) {
  const { what, rightClient, section, level, method, bodyBytes, requests } = each;
  const needs = [
    method && `${method}${bodyBytes ? ` with ${bodyBytes} octets` : ''}`,
    requests && `${requests} requests`,
  ];
  return {
    ...{ name, says: `${what} ${rightClient.replace(/^It /, 'A right client ')}` },
    note: [`${level}: ${section}`, ...needs].filter(Boolean).join('; '),
  };
}
