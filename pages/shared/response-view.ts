/** Shows a response: status, duration, headers, and formatted body. */

import { element } from './element.js';
import { indentJson } from './indent-json.js';
import type { ReceivedResponse } from './send-request.js';

/** More would make the page slow. */
const maxShownLength = 100_000;

/** Headers of every response. */
const common = /^(?:access-control-|connection$|date$|keep-alive$|x-request-id$|cache-control$)/;

export function statusView({ status, statusText }: ReceivedResponse): HTMLElement {
  return element('b', { class: `status s${Math.floor(status / 100)}` }, `${status} ${statusText}`);
}

/** Writes the status such as `200 OK`, the duration and the size. */
export function responseLine(response: ReceivedResponse): HTMLElement {
  const { statuses, durationMs, bytes } = response;
  const row = statuses.length > 1 ? [element('span', {}, statuses.join(' '))] : [];
  return element(
    'p',
    { class: 'answer-line', role: 'status' },
    ...row,
    statusView(response),
    element('span', {}, `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`),
    element('span', {}, `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`),
  );
}

/** Writes the response as on the wire, with its duration beside the status. */
export function responseOnWire(response: ReceivedResponse): (Node | string)[] {
  const time = element('i', { class: 'h' }, `  ${response.durationMs.toFixed(1)} ms\n`);
  return ['HTTP/1.1 ', statusView(response), time, ...responseText(response)];
}

/** Writes the relevant headers and the body as on the wire, highlighted. */
export function responseText(response: ReceivedResponse): (Node | string)[] {
  const { headers, text, contentType } = response;
  const lines = headers
    .filter(([name]) => !common.test(name))
    .flatMap(([name, value]) => [element('i', { class: 'h' }, `${name}: `), `${value}\n`]);
  if (isBinary(response)) {
    return [...lines, `\n(${response.bytes} bytes of ${contentType})`];
  }
  const isLong = text.length > maxShownLength;
  const json = !isLong && contentType.includes('json') ? indentJson(text) : undefined;
  const body =
    json === undefined
      ? [text.slice(0, maxShownLength), ...(isLong ? ['\n… and more'] : [])]
      : colourJson(json);
  return text === '' ? lines : [...lines, '\n', ...body];
}

/** Whether the body would be shown as characters that it does not contain. */
const isBinary = ({ text, contentType }: ReceivedResponse) =>
  !/^text\/|json|xml|javascript/.test(contentType) &&
  /[^\P{Cc}\s]|\ufffd/u.test(text.slice(0, 1000));

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g;

/** Highlights indented JSON. */
export function colourJson(json: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of json.matchAll(token)) {
    const [all, string, colon] = match;
    const shown = string ?? all;
    const kind = string === undefined ? 'n' : colon === undefined ? 's' : 'o';
    parts.push(json.slice(end, match.index), element('i', { class: kind }, shown));
    end = match.index + shown.length;
  }
  return [...parts, json.slice(end)];
}
