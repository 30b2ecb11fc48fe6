/** The form that sends a prompt, perhaps to a stream that breaks. */

import { byId, element } from '../shared/element.js';
import { baseUrls } from './connect.js';
import { type EndpointName, type Prompt, requestOf } from './requests.js';
import { showStream } from './show-stream.js';

const paths: Readonly<Record<EndpointName, string>> = {
  chat: '/llm/openai/v1/chat/completions',
  responses: '/llm/openai/v1/responses',
  messages: '/llm/anthropic/v1/messages',
  gemini: '/llm/gemini/v1beta/models/practice-1:streamGenerateContent',
  ollama: '/llm/ollama/api/chat',
};

const endpoint = byId('endpoint', HTMLSelectElement);
const choice = byId('case', HTMLSelectElement);
const tool = byId('tool', HTMLInputElement);
const send = byId('send', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);

let sending: AbortController | undefined;

/** `onEnd` is called after each response. */
export function offerPrompts(onEnd: () => void): void {
  endpoint.addEventListener('change', offerCases);
  choice.addEventListener('change', explainCase);
  stop.addEventListener('click', () => sending?.abort());
  byId('send-prompt', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void sendPrompt().then(onEnd);
  });
  offerCases();
}

/** Enables the cases that the endpoint has. */
function offerCases(): void {
  const path = paths[chosenEndpoint()];
  for (const option of choice.options) {
    const { endpoints } = option.dataset;
    option.disabled = endpoints !== undefined && !endpoints.split(' ').includes(path);
  }
  if (choice.selectedOptions[0]?.disabled) choice.value = '';
  explainCase();
}

function explainCase(): void {
  const { what, right, at } = choice.selectedOptions[0]?.dataset ?? {};
  const shown = byId('expectation', HTMLParagraphElement);
  shown.hidden = what === undefined;
  shown.replaceChildren(element('b', {}, what ?? ''), ` A right client: ${right ?? ''}`);
  if (at === 'arguments') tool.checked = true;
  if (at === 'text') tool.checked = false;
}

const chosenEndpoint = () => endpoint.value as EndpointName;

async function sendPrompt(): Promise<void> {
  const urls = baseUrls();
  // They are known once the page has read its sandbox.
  if (sending !== undefined || urls.openai === '') return;
  const controller = new AbortController();
  sending = controller;
  send.disabled = true;
  stop.disabled = false;
  await showStream(requestOf(chosenPrompt(), urls), controller.signal);
  sending = undefined;
  send.disabled = false;
  stop.disabled = true;
}

function chosenPrompt(): Prompt {
  const { misbehave, at } = choice.selectedOptions[0]?.dataset ?? {};
  return {
    endpoint: chosenEndpoint(),
    model: byId('model', HTMLSelectElement).value,
    text: byId('prompt', HTMLTextAreaElement).value,
    hasTool: tool.checked,
    search: misbehave === undefined ? '' : `?${new URLSearchParams({ misbehave, at: at ?? '' })}`,
  };
}
