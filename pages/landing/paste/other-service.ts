/** Says why a typed URL is not sent, with the base URL here for an API that tutorials name. */

import { addressOf } from '../../shared/address-of.js';
import { byId } from '../../shared/element.js';

/** Returns an empty text for a path of this service; `path` is what the typed text means here. */
export function faultOfUrl(typed: string, path: string | undefined): string {
  const [, host = ''] = /^\s*(?:https?:\/\/)?(?:www\.)?([\w-]+)\.[a-z]/i.exec(typed) ?? [];
  const api = [...byId('asks-api', HTMLSelectElement).options].find(
    ({ text }) => text.toLowerCase().replaceAll(' ', '-') === host.toLowerCase(),
  );
  if (path !== undefined && api === undefined) return '';
  const hint = api
    ? `The base URL of ${api.text} is ${addressOf(api.value)} here.`
    : `Type a path, or a URL below ${addressOf('/')}`;
  return `This console sends only to this service. ${hint}`;
}
