/** The part that a teacher shows to the class: the address, the code, and both as a QR code. */

import encodeQR from 'qr';
import { addressOf } from '../../shared/address-of.js';
import { copyButton } from '../../shared/copy-button.js';
import { element } from '../../shared/element.js';
import type { ClassInfo } from '../api.js';

const loopback = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

export function joinPanel({ addresses, joinCode }: ClassInfo): HTMLElement {
  const own = addressOf('');
  const [first] = addresses;
  // The page itself may have been opened by an address that others can use.
  const base = loopback.test(own) ? (first ?? own) : own;
  const address = `${base}/class`;
  const link = `${address}?code=${joinCode}`;
  const isAlone = loopback.test(base);
  return element(
    'section',
    { class: 'card join', 'aria-labelledby': 'join-title' },
    element('h2', { id: 'join-title' }, 'Join'),
    element('p', { class: 'address' }, address.replace(/^https?:\/\//, '')),
    element('p', { class: 'big-code', 'aria-label': 'Code' }, joinCode),
    copyButton('Copy the link', () => link),
    isAlone ? aloneNote() : element('details', {}, element('summary', {}, 'QR code'), qrCode(link)),
  );
}

function aloneNote(): HTMLElement {
  return element(
    'p',
    { class: 'quiet' },
    'Only this machine can reach the service. Start it with ',
    element('code', {}, 'HOST=0.0.0.0'),
    ' for a class.',
  );
}

const svg = 'http://www.w3.org/2000/svg';

function qrCode(text: string): Element {
  const rows = encodeQR(text, 'raw', { border: 4 });
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${rows.length} ${rows.length}`);
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', 'QR code of the link to join');
  picture.setAttribute('class', 'qr');
  const path = document.createElementNS(svg, 'path');
  const squares = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  path.setAttribute('d', squares.join(''));
  picture.append(path);
  return picture;
}
