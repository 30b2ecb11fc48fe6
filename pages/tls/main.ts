/**
 * The page of TLS servers: the root to trust, the servers that clients must reject, and the
 * commands to try them.
 */

import { addressOf } from '../shared/address-of.js';
import { callJson } from '../shared/call.js';
import { byId, element } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';

applyTheme();
addThemeSwitch();

interface Server {
  readonly name: string;
  readonly url: string;
  readonly what: string;
  readonly rightClient: 'connects' | 'refuses';
  readonly clientCertificates?: readonly string[];
}

byId('skip', HTMLAnchorElement).addEventListener('click', (event) => {
  event.preventDefault();
  byId('main', HTMLElement).focus();
});

try {
  show(await callJson<readonly Server[]>(addressOf('/tls')));
} catch (error) {
  const fault = byId('fault', HTMLParagraphElement);
  fault.textContent = (error as Error).message;
  fault.hidden = false;
  byId('state', HTMLParagraphElement).hidden = true;
}

function show(servers: readonly Server[]): void {
  const url = servers.find(({ name }) => name === 'good')?.url;
  byId('state', HTMLParagraphElement).replaceChildren(
    ...(url === undefined
      ? [
          'TLS is off on this service. Start it with ',
          element('code', { class: 'unbroken' }, '--tls-port 8443'),
          '.',
        ]
      : ['TLS is on, at ', element('code', {}, url), '.']),
  );
  byId('trust', HTMLElement).hidden = url === undefined;
  const good = url ?? 'https://localhost:8443';
  const commands = byId('commands', HTMLDListElement);
  for (const [client, command] of commandsFor(good)) {
    const pair = element('div');
    const shown = element('dd');
    const code = element('pre');
    code.className = 'code';
    code.textContent = command;
    shown.append(code);
    const title = element('dt');
    title.textContent = client;
    pair.append(title, shown);
    commands.append(pair);
  }
  if (servers.length > 0) {
    byId('servers', HTMLUListElement).replaceChildren(...servers.map(rowOf));
  }
  for (const { url, clientCertificates } of servers) {
    if (clientCertificates !== undefined) showCertificates(url, clientCertificates);
  }
}

function commandsFor(good: string): readonly (readonly [string, string])[] {
  const root = addressOf('/tls/ca.pem');
  return [
    ['curl', `curl -o ca.pem ${root}\ncurl --cacert ca.pem ${good}/health`],
    ['Node', `NODE_EXTRA_CA_CERTS=ca.pem node -e "fetch('${good}/health').then(console.log)"`],
    ['Python', `requests.get('${good}/health', verify='ca.pem')`],
    [
      'Java',
      `java -Djavax.net.ssl.trustStore=ca.p12 -Djavax.net.ssl.trustStorePassword=changeit …`,
    ],
    ['Firefox', 'Settings → Certificates → Authorities → Import ca.pem'],
    ['Chromium', 'certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n practice -i ca.pem'],
  ];
}

function rowOf({ name, url, what, rightClient }: Server): HTMLLIElement {
  const row = element('li');
  const link = element('a');
  link.href = `${url}/api/http/connection`;
  link.textContent = name;
  const verdict = element('span');
  verdict.className = rightClient;
  verdict.textContent = rightClient;
  const text = element('p');
  text.textContent = what;
  const address = element('code');
  address.textContent = url;
  row.append(link, ' ', verdict, text, address);
  return row;
}

function showCertificates(url: string, files: readonly string[]): void {
  const link = byId('mtls', HTMLAnchorElement);
  link.href = `${url}/api/auth/mtls`;
  link.textContent = `${url}/api/auth/mtls`;
  for (const file of files) {
    const row = element('li');
    const download = element('a');
    download.href = addressOf(file);
    download.download = '';
    download.textContent = file.replace('/tls/client/', '');
    row.append(download);
    byId('certificates', HTMLUListElement).append(row);
  }
  byId('clients', HTMLElement).hidden = false;
}
