/** Actions of the bin's buttons. */

import { sandboxAddress } from '../bar/sandbox-api.js';
import { confirm } from '../shared/confirm.js';
import { copyFrom } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { announce } from './announce.js';
import { binAddress } from './api.js';
import { loadBins, makeBin } from './bin-list.js';
import { titleOf } from './list-items.js';
import { closeBin } from './open-bin.js';
import { type OpenBin, page } from './page-state.js';
import { forgetRequests } from './request-list.js';
import { callInSandbox } from './sandbox.js';

const nameField = byId('name', HTMLInputElement);

export async function createBin(): Promise<void> {
  const bin = await makeBin(nameField.value.trim());
  nameField.value = '';
  location.hash = bin.id;
  announce(`The bin ${titleOf(bin)} was created.`);
}

/** Copies a link that opens the bin for anyone: in the sandbox, or as the account. */
export async function shareBin({ bin }: OpenBin): Promise<void> {
  const address = await sandboxAddress();
  const link = `${address}/bins#${bin.id}`;
  const note = address.includes('/s/~')
    ? ' Anyone with the link acts as your account in this sandbox.'
    : ' Anyone with the link can see and change everything in this sandbox.';
  const shared = byId('shared-link', HTMLParagraphElement);
  shared.replaceChildren(element('a', { href: link }, link), note);
  shared.hidden = false;
  await copyFrom(byId('share', HTMLButtonElement), link);
}

export async function clearBin({ bin }: OpenBin): Promise<void> {
  if (!(await confirm('Delete all requests of this bin?', 'Clear'))) return;
  await callInSandbox(binAddress(bin.id, '/requests'), { method: 'DELETE' });
  forgetRequests(bin.id);
}

export async function deleteBin({ bin }: OpenBin): Promise<void> {
  if (!(await confirm('Delete this bin? Its URL will then return 404.', 'Delete'))) return;
  closeBin();
  await callInSandbox(binAddress(bin.id), { method: 'DELETE' });
  await loadBins();
  location.hash = page.bins[0]?.id ?? '';
  byId('main', HTMLElement).focus();
  announce('The bin was deleted.');
}
