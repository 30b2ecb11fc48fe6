/** Shows the steps: requests, responses, parameters and checks. */

import { byId, element } from '../shared/element.js';
import { colourJson, responseLine, responseText } from '../shared/response-view.js';
import { type ReceivedResponse, readResponse } from '../shared/send-request.js';

export type StepName =
  | 'discovery'
  | 'pkce'
  | 'authorization'
  | 'redirect'
  | 'token'
  | 'tokens'
  | 'userinfo'
  | 'logout';

export interface Check {
  readonly isPassed: boolean;
  readonly text: string;
}

/** A path that acts as an account is a secret. */
export function withoutSecret(text: string): string {
  return text.replaceAll(/(\/|%2F)s(?:\/|%2F)~[\w.~-]+/gi, '$1s$1~…');
}

export function clearStep(name: StepName): void {
  const step = byId(name, HTMLLIElement);
  step.classList.remove('is-done', 'is-wrong');
  seenIn(step).replaceChildren();
}

export function addToStep(name: StepName, ...parts: readonly (Node | string)[]): void {
  seenIn(byId(name, HTMLLIElement)).append(...parts);
}

export function endStep(name: StepName, isRight = true): void {
  byId(name, HTMLLIElement).classList.add(isRight ? 'is-done' : 'is-wrong');
}

function seenIn(step: HTMLLIElement): HTMLElement {
  const seen = step.querySelector<HTMLElement>('.seen');
  if (seen === null) throw new Error(`The step ${step.id} has no place for requests.`);
  return seen;
}

export function code(...parts: readonly (Node | string)[]): HTMLPreElement {
  // Long ones scroll, by keyboard as well.
  return element('pre', { class: 'code', tabindex: 0 }, ...parts);
}

export function titled(title: string, ...parts: readonly Node[]): DocumentFragment {
  const all = new DocumentFragment();
  all.append(element('h3', {}, title), ...parts);
  return all;
}

export function json(value: unknown): HTMLPreElement {
  return code(...colourJson(withoutSecret(JSON.stringify(value, null, 2))));
}

/** Each pair is a name, a value, and its meaning. */
export function pairs(
  rows: readonly (readonly [name: string, value: string, meaning?: string])[],
): HTMLDListElement {
  const shown = rows.map(([name, value, meaning]) =>
    element(
      'div',
      {},
      element('dt', {}, name),
      element(
        'dd',
        {},
        element('code', {}, withoutSecret(value)),
        ...(meaning === undefined ? [] : [element('small', {}, meaning)]),
      ),
    ),
  );
  return element('dl', {}, ...shown);
}

export function checkList(checks: readonly Check[]): HTMLUListElement {
  const rows = checks.map(({ isPassed, text }) =>
    element(
      'li',
      { class: isPassed ? 'passed' : 'failed' },
      element('b', { 'aria-hidden': 'true' }, isPassed ? '✓' : '✗'),
      element(
        'span',
        {},
        element('span', { class: 'unseen' }, isPassed ? 'Passed: ' : 'Failed: '),
        withoutSecret(text),
      ),
    ),
  );
  return element('ul', { class: 'checks' }, ...rows);
}

interface SentRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: URLSearchParams;
}

/** Shows a request of the browser to the issuer, one parameter a line. */
export function navigation(url: string): HTMLPreElement {
  const { pathname, search, host } = new URL(url);
  const query = withoutSecret(search).replaceAll('&', '\n  &');
  return code(
    `GET ${withoutSecret(pathname)}${query} HTTP/1.1\n`,
    element('i', { class: 'h' }, 'Host: '),
    host,
  );
}

/** Sends a request without cookies, and shows it with its response in a step. */
export async function sendInStep(
  name: StepName,
  url: string,
  { method = 'GET', headers = {}, form }: SentRequest = {},
): Promise<ReceivedResponse> {
  const { pathname, search, host } = new URL(url);
  const type = form && { 'Content-Type': 'application/x-www-form-urlencoded' };
  const lines = Object.entries({ Host: host, ...headers, ...type }).flatMap(([each, value]) => [
    element('i', { class: 'h' }, `${each}: `),
    `${value}\n`,
  ]);
  const body = form === undefined ? '' : `\n${form.toString().replaceAll('&', '\n&')}`;
  addToStep(
    name,
    titled(
      'Request',
      code(
        `${method} ${withoutSecret(pathname + search)} HTTP/1.1\n`,
        ...lines,
        withoutSecret(body),
      ),
    ),
  );
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...type },
    body: form ?? null,
    credentials: 'omit',
    cache: 'no-store',
  });
  const received = await readResponse(response, startedAt);
  const shown = { ...received, text: withoutSecret(received.text) };
  addToStep(name, titled('Response', responseLine(shown), code(...responseText(shown))));
  return received;
}
