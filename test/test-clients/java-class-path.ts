/** JUnit 5 as Debian installs it; versions of Debian differ in what it needs. */

import { existsSync } from 'node:fs';

const names = [
  ...['jupiter-api', 'jupiter-engine', 'platform-commons', 'platform-engine'].map(junit),
  ...['platform-launcher', 'platform-console', 'platform-reporting'].map(junit),
  ...['opentest4j', 'apiguardian-api', 'picocli'],
  ...['opentest4j-reporting-events', 'opentest4j-reporting-schema'],
];

function junit(name: string): string {
  return `junit-${name}`;
}

export const javaClassPath = names
  .map((name) => `/usr/share/java/${name}.jar`)
  .filter(existsSync)
  .join(':');
