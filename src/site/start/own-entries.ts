/** Entries of the purposes about the service itself. */

import type { PurposeEntry } from '#kit/front/purposes.js';

export const ownEntries: readonly PurposeEntry[] = [
  {
    purpose: 'tutorial',
    title: 'Getting started',
    says: 'The first ten minutes: start the service, read a response, write a test.',
    links: [
      ['Begin', '/guides/getting-started'],
      ['Path for beginners', '/guides#a-path-for-beginners'],
    ],
  },
  {
    purpose: 'test',
    title: 'In your tests',
    says: 'A sandbox for each test, from any language and in CI.',
    links: [
      ['In CI', '/guides/in-ci'],
      ['Embedding', '/guides/embedding'],
    ],
  },
  {
    purpose: 'learn',
    title: 'Guides by path',
    says: 'Lessons for beginners, testers and authors of clients, with exercises and solutions.',
    links: [
      ['Beginners', '/guides#a-path-for-beginners'],
      ['Testers', '/guides#a-path-for-testers'],
      ['Authors of clients', '/guides#a-path-for-authors-of-client-libraries'],
    ],
  },
  {
    purpose: 'learn',
    title: 'A course',
    says: 'Ten weeks: lessons, challenges to assign, a live board, and grading.',
    links: [['Plan', '/guides/teaching']],
  },
  {
    purpose: 'look-up',
    title: 'Guides',
    says: 'Each area: a quick trial, good client behaviour, every error explained.',
    links: [
      ['All guides', '/guides'],
      ['Glossary', '/guides/glossary'],
      ['Compared with others', '/guides/compared'],
    ],
  },
  {
    purpose: 'look-up',
    title: 'Reference',
    says: 'Every endpoint with its parameters, to try; and its description for tools.',
    line: 'curl -s {base}/openapi.json',
    links: [
      ['Reference', '/docs'],
      ['About OpenAPI', '/guides/openapi'],
    ],
  },
  {
    purpose: 'look-up',
    title: 'Credentials',
    says: 'Demo users, keys and secrets of every scheme, public on purpose.',
    line: 'curl -s {base}/api/auth',
    links: [['List', '/api/auth']],
  },
  {
    purpose: 'look-up',
    title: 'Downloads',
    says: 'A Postman collection with tests, an .http file, schemas.',
    links: [['All files', '/downloads']],
  },
  {
    purpose: 'look-up',
    title: 'Settings',
    says: 'Every flag and environment variable; how to host the service.',
    links: [
      ['Settings', '/guides/configuration'],
      ['Hosting', '/guides/hosting'],
    ],
  },
  {
    purpose: 'look-up',
    title: 'Search',
    says: 'Guides, endpoints, settings and error messages: press / or Ctrl+K on any page.',
    links: [],
  },
];
