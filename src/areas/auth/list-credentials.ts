/** Turns the credentials of `GET /api/auth` into cards: one for each client, user or key, and one for the rest. */

import { isObject } from '#base/json-object.js';
import type { TestCredential } from '#kit/area.js';

type Listed = Readonly<Record<string, unknown>>;

/** Members that identify the objects of a list; the first one present is the card's title. */
const naming = ['clientId', 'username', 'keyid'];

/**
 * Members are plain values, lists of them, or lists of objects, which become separate cards.
 * @param title Names the part of the service, such as `OpenID Connect`
 */
export function listCredentials(title: string, listed: Listed): TestCredential[] {
  const parts: { name: string; value: string }[] = [];
  const cards: TestCredential[] = [];
  for (const [name, value] of Object.entries(listed)) {
    const objects = Array.isArray(value) ? value.filter(isObject) : [];
    if (objects.length > 0) {
      for (const each of objects) cards.push(...listCredentials(cardTitle(title, each), each));
    } else if (isObject(value)) {
      cards.push(...listCredentials(title, value));
    } else {
      for (const each of [value].flat()) parts.push({ name, value: String(each) });
    }
  }
  return parts.length > 0 ? [{ title, parts }, ...cards] : cards;
}

function cardTitle(title: string, listed: Listed): string {
  const name = naming.find((each) => each in listed);
  return name === undefined ? title : `${title}: ${listed[name]}`;
}
