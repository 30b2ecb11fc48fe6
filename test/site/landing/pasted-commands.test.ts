/** Every command of the README and the guides, as a reader pastes it into the console. */

import { expect, test } from 'vitest';
import { callOfExample } from '../../../pages/guides/call-of-example.js';
import { clients } from '../../../pages/guides/clients.js';
import { readPasted } from '../../../pages/landing/paste/read-pasted.js';
import { pathOf } from '../../../pages/landing/path-of.js';
import { placeholderHost } from '../../../src/http/caching/addressed-content.js';
import { readText } from '../../docs/pages.js';
import { examplesOfGuides } from '../../guides/examples-of-guides.js';
import { names } from '../../guides/guide-names.js';

const texts = ['README.md', 'clients/README.md', ...names.map((name) => `docs/${name}.md`)];

/** Another port than in the documentation. */
const root = 'http://localhost:4567/';

/** The commands of a text, in the form in which it prints them. */
function commandsOf(text: string): string[] {
  const commands: string[] = [];
  for (const [, language, block = ''] of text.matchAll(
    /^ *```(console|sh|bash)\n(.*?)^ *```$/gms,
  )) {
    let isContinued = false;
    for (const line of block.split('\n').map((each) => each.trim())) {
      const isStart = language === 'console' ? line.startsWith('$ ') : /^[^#]/.test(line);
      if (isContinued) commands.push(`${commands.pop()}\n${line}`);
      else if (isStart) commands.push(line);
      isContinued = (isContinued || isStart) && line.endsWith('\\');
    }
  }
  return commands;
}

const printed = texts.flatMap((name) => commandsOf(readText(name)));
const examples = examplesOfGuides();

/** Commands for other clients, as the tabs of the guides show them. */
const inTabs = examples.flatMap(({ example, printed: output }) => {
  const call = callOfExample(example, output, 'http://localhost:3000');
  if (call === undefined) return [];
  const exact = Object.values(clients).filter(({ isExact }) => isExact(call));
  return exact.map(({ write }) => write(call));
});

test('each is a request to this service, or gets a sentence that says why not', () => {
  expect(printed.length).toBeGreaterThan(1000);
  const silent = [...printed, ...inTabs].filter((command) => {
    const pasted = readPasted(command);
    if ('request' in pasted) return !pathOf(pasted.request.address, root)?.startsWith('/');
    const words = pasted.fault.split(/\s+/).length;
    return !/^["@A-Z-].*\.$/s.test(pasted.fault) || words > 25;
  });
  const others = silent.filter(
    (command) => !/https:|:8080|:8443|:\d+\/callback|\$ISSUER/.test(command),
  );
  expect(others).toEqual([]);
});

test('each self-contained command is the request that its guide sends', () => {
  const different: string[] = [];
  let same = 0;
  for (const { command, example } of examples) {
    const pasted = readPasted(`$ ${command.replaceAll(placeholderHost, 'localhost:3000')}`);
    if (!('request' in pasted)) continue;
    const { method, address, body } = pasted.request;
    const isSame =
      method === example.method &&
      pathOf(address, root) === example.path &&
      body === (example.body ?? '');
    if (isSame) same += 1;
    else different.push(command);
  }
  expect(different).toEqual([]);
  expect(same).toBeGreaterThan(300);
});

test('each for HTTPie, PowerShell and fetch is a request', () => {
  const lost = inTabs.filter((command) => {
    return /^(?:http|\$response|const response) /.test(command) && 'fault' in readPasted(command);
  });
  expect(lost).toEqual([]);
});
