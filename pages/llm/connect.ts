/** Shows the base URLs of the sandbox, and how each SDK uses them. */

import { copyFrom } from '../shared/copy-button.js';
import { byId } from '../shared/element.js';
import { offerTabs } from '../shared/tabs.js';
import { asExports, type BaseUrls, type Sdk, sdksFor } from './sdks.js';

const openaiUrl = byId('openai-url', HTMLInputElement);
const anthropicUrl = byId('anthropic-url', HTMLInputElement);
const copyVariables = byId('copy-variables', HTMLButtonElement);
const copyCode = byId('copy-code', HTMLButtonElement);

const chosenId = offerTabs({
  container: byId('sdks', HTMLDivElement),
  name: 'sdk',
  tabs: sdksFor({ openai: '', anthropic: '' }),
  storedAs: 'practice-api-llm-sdk',
  onChange: render,
});

copyField('copy-openai-url', openaiUrl);
copyField('copy-anthropic-url', anthropicUrl);
copyVariables.addEventListener('click', () => {
  void copyFrom(copyVariables, asExports(chosenSdk()?.variables ?? {}));
});
copyCode.addEventListener('click', () => void copyFrom(copyCode, chosenSdk()?.code ?? ''));

/** A button copies a field, whose text is selected when it has the focus. */
export function copyField(buttonId: string, field: HTMLInputElement): void {
  const button = byId(buttonId, HTMLButtonElement);
  button.addEventListener('click', () => void copyFrom(button, field.value));
  field.addEventListener('focus', () => field.select());
}

/** `place` is the URL of the sandbox. */
export function showBaseUrls(place: string): void {
  openaiUrl.value = `${place}/llm/openai/v1`;
  anthropicUrl.value = `${place}/llm/anthropic`;
  for (const id of ['copy-openai-url', 'copy-anthropic-url']) {
    byId(id, HTMLButtonElement).disabled = false;
  }
  copyVariables.disabled = false;
  copyCode.disabled = false;
  render();
}

export const baseUrls = (): BaseUrls => ({
  openai: openaiUrl.value,
  anthropic: anthropicUrl.value,
});

const chosenSdk = (): Sdk | undefined => sdksFor(baseUrls()).find(({ id }) => id === chosenId());

function render(): void {
  const sdk = chosenSdk();
  if (openaiUrl.value === '' || sdk === undefined) return;
  byId('variables', HTMLPreElement).textContent = asExports(sdk.variables);
  byId('code', HTMLPreElement).textContent = sdk.code;
}
