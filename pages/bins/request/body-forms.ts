/** Views of a captured body: parsed JSON or form, text, bytes. */

import { element } from '../../shared/element.js';
import { indentJson } from '../../shared/indent-json.js';
import { colourJson } from '../../shared/response-view.js';
import type { CapturedRequest } from '../api.js';
import { hexDump } from './hex-dump.js';

export interface BodyForm {
  readonly name: string;
  /** `columns` is the number of characters that fit on a line. */
  readonly content: (columns: number) => readonly (Node | string)[];
  readonly note?: string;
}

/** Larger bodies are for a hex editor; the whole body can be downloaded. */
const shownHexBytes = 16 * 1024;

export function formatBytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`;
  return `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

/** The most informative view comes first. */
export async function bodyForms(request: CapturedRequest): Promise<BodyForm[]> {
  const { decodedBody, decodedBodyEncoding } = request;
  if (typeof decodedBody !== 'string' || decodedBodyEncoding === undefined) {
    return plainForms(request);
  }
  const decoded = { ...request, body: decodedBody, bodyEncoding: decodedBodyEncoding };
  const forms = await plainForms(decoded);
  return [
    ...forms.map(({ name, content }) => ({ name, content, note: 'Decoded.' })),
    { ...hexOf(bytesOf(request)), name: 'As sent' },
  ];
}

async function plainForms(request: CapturedRequest): Promise<BodyForm[]> {
  const { body, bodyEncoding } = request;
  const bytes = bytesOf(request);
  const parts = await partsOf(request, bytes);
  const forms: BodyForm[] = parts === undefined ? [] : [{ name: 'Form', content: () => [parts] }];
  if (bodyEncoding === 'utf-8' && body !== null) {
    const indented = /^\s*[[{]/.test(body) ? indentJson(body) : undefined;
    if (indented !== undefined) forms.push({ name: 'JSON', content: () => colourJson(indented) });
    forms.push({ name: 'Text', content: () => [body] });
  }
  return [...forms, hexOf(bytes)];
}

function hexOf(bytes: Uint8Array): BodyForm {
  const isCut = bytes.length > shownHexBytes;
  return {
    name: 'Hex',
    content: (columns) => [hexDump(bytes.subarray(0, shownHexBytes), columns)],
    ...(isCut && { note: `The first ${formatBytes(shownHexBytes)}; download it for the rest.` }),
  };
}

/** Parses the fields and files of a form with the browser; returns `undefined` for other bodies. */
async function partsOf(
  { contentType, bodyTruncated }: CapturedRequest,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<HTMLElement | undefined> {
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;
  if (contentType === null || !isForm.test(contentType) || bodyTruncated) return undefined;
  const headers = { 'Content-Type': contentType };
  const form = await new Response(bytes, { headers }).formData().catch(() => undefined);
  const rows = [...(form ?? [])];
  if (rows.length === 0) return undefined;
  return table(
    rows.map(([name, value]) => [name, typeof value === 'string' ? value : file(value)]),
  );
}

function file({ name, type, size }: File): string {
  return `${name} · ${type || 'no Content-Type'} · ${formatBytes(size)}`;
}

export function table(rows: readonly (readonly [name: string, value: string])[]): HTMLElement {
  const lines = rows.map(([name, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value)),
  );
  return element(
    'div',
    { class: 'table' },
    element('table', { class: 'code' }, element('tbody', {}, ...lines)),
  );
}

export function bytesOf({ body, bodyEncoding }: CapturedRequest): Uint8Array<ArrayBuffer> {
  if (body === null) return new Uint8Array();
  if (bodyEncoding === 'utf-8') return new TextEncoder().encode(body);
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
}
