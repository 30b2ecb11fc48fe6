/** Shows the base URLs of the sandbox, and how each SDK uses them. */

import { copyFrom, offerCopy, showCopied } from '../shared/copy-button.js';
import { byId } from '../shared/element.js';
import { offerTabs } from '../shared/tabs.js';
import { asExports, type BaseUrls, type Sdk, sdksFor } from './sdks.js';

/** Ends of the base URLs, which SDKs complete. */
const ends = { openai: 'openai/v1', anthropic: 'anthropic', gemini: 'gemini', ollama: 'ollama' };

let urls: BaseUrls = { openai: '', anthropic: '', gemini: '', ollama: '' };
const copyVariables = byId('copy-variables', HTMLButtonElement);
const copyCode = byId('copy-code', HTMLButtonElement);

const chosenId = offerTabs({
  container: byId('sdks', HTMLDivElement),
  name: 'sdk',
  tabs: sdksFor(urls),
  storedAs: 'practice-api-llm-sdk',
  onChange: render,
});

for (const name of Object.keys(ends)) offerCopy(`${name}-url`);
copyVariables.addEventListener('click', () => {
  void copyFrom(copyVariables, asExports(chosenSdk()?.variables ?? {}));
});
copyCode.addEventListener('click', () => void copyFrom(copyCode, chosenSdk()?.code ?? ''));

/** `place` is the URL of the sandbox. */
export function showBaseUrls(place: string): void {
  const all = Object.entries(ends).map(([name, end]) => [name, `${place}/llm/${end}`] as const);
  for (const [name, url] of all) showCopied(`${name}-url`, url);
  urls = { ...urls, ...Object.fromEntries(all) };
  copyVariables.disabled = false;
  copyCode.disabled = false;
  render();
}

export const baseUrls = (): BaseUrls => urls;

const chosenSdk = (): Sdk | undefined => sdksFor(urls).find(({ id }) => id === chosenId());

function render(): void {
  const sdk = chosenSdk();
  if (urls.openai === '' || sdk === undefined) return;
  byId('variables', HTMLPreElement).textContent = asExports(sdk.variables);
  byId('code', HTMLPreElement).textContent = sdk.code;
}
