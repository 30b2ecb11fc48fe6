import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

/** Silence, in a format that every player supports. */
function wav(seconds: number): Buffer {
  const rate = 8000;
  const head = Buffer.alloc(44);
  const size = seconds * rate;
  head.write('RIFF');
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size, 128)]);
}

test('a media element plays an upload, and seeks by ranges', async () => {
  const sandbox = randomUUID();
  const { json } = await service.send(`POST /s/${sandbox}/api/http/uploads`, {
    body: wav(600),
    headers: { 'Content-Type': 'audio/wav' },
  });
  const page = await browser.open(`${service.url}/health`);
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/uploads/')) statuses.push(response.status());
  });
  const reached = await page.evaluate<[number, number]>(`new Promise((resolve, reject) => {
    const audio = new Audio(${JSON.stringify(json.contentUrl)});
    audio.onerror = () => reject(new Error(audio.error.message));
    audio.onloadedmetadata = () => { audio.currentTime = 590; };
    audio.onseeked = () => resolve([audio.duration, audio.currentTime]);
    audio.preload = 'auto';
  })`);
  expect(reached).toEqual([600, 590]);
  expect(statuses.length).toBeGreaterThan(0);
  expect(statuses.every((status) => status === 206)).toBe(true);
});

test('fetch decodes content codings, requests ranges and reads a stream as it arrives', async () => {
  const page = await browser.open(`${service.url}/health`);
  const read = await page.evaluate(`(async () => {
    const get = (path, headers) => fetch('/api/http/' + path, { headers });
    const coded = await (await get('encoding/br')).json();
    const bomb = await (await get('encoding/gzip?size=5000000')).text();
    const broken = await get('encoding/gzip?fault=corrupt').then((a) => a.text()).catch(() => 'error');
    const part = await get('bytes/1000', { Range: 'bytes=5-9' });
    const reader = (await get('stream/3?interval=0.05')).body.getReader();
    let pieces = 0;
    while (!(await reader.read()).done) pieces++;
    const chunks = await (await get('chunks?sizes=1,2&extensions=true')).text();
    const shift = await (await get('formats/text?charset=shift_jis')).arrayBuffer();
    return [coded.coding, bomb.length, broken, part.status, (await part.arrayBuffer()).byteLength,
      pieces > 1, chunks, new TextDecoder('shift_jis').decode(shift).includes('世界')];
  })()`);
  expect(read).toEqual(['br', 5_000_000, 'error', 206, 5, true, 'abb', true]);
  // The browser reports the broken coding to the console as well.
  browser.takeFaults();
});
