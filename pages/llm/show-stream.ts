/** Sends a request, and shows the bytes of its response as they arrive. */

import { byId } from '../shared/element.js';
import type { ModelRequest } from './requests.js';

/** A broken stream has a line of 1 MiB. */
const maxShown = 100_000;

const events = byId('events', HTMLPreElement);
const progress = byId('progress', HTMLSpanElement);

export async function showStream(request: ModelRequest, signal: AbortSignal): Promise<void> {
  const startedAt = performance.now();
  const said = { status: '', characters: 0 };
  events.replaceChildren();
  byId('events-part', HTMLElement).hidden = false;
  // It scrolls, also by keyboard.
  events.tabIndex = 0;
  progress.textContent = 'Sending …';
  try {
    await read(request, signal, said);
    say(said, 'The response ended', startedAt);
  } catch {
    const end = signal.aborted ? 'You stopped it' : 'The connection was lost';
    say(said, end, startedAt);
  }
}

interface Said {
  status: string;
  characters: number;
}

async function read(
  { url, headers, body }: ModelRequest,
  signal: AbortSignal,
  said: Said,
): Promise<void> {
  const options = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url, { ...options, signal, cache: 'no-store' });
  said.status = `Status ${response.status}. `;
  progress.textContent = `${said.status}Reading …`;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
    if (done) return;
    append(value, said);
  }
}

function append(text: string, said: Said): void {
  const room = maxShown - said.characters;
  said.characters += text.length;
  if (room <= 0) return;
  const isAtEnd = events.scrollHeight - events.scrollTop - events.clientHeight < 40;
  events.append(text.length > room ? `${text.slice(0, room)} …` : text);
  if (isAtEnd) events.scrollTop = events.scrollHeight;
}

function say({ status, characters }: Said, end: string, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  progress.textContent = `${status}${end} after ${seconds} s and ${characters} characters.`;
}
