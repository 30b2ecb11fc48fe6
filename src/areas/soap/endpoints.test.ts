import { expect, test } from 'vitest';
import { parameterOf } from './endpoints.js';

test.each([
  ['text/xml; charset=utf-8', 'charset', 'utf-8'],
  ['text/xml;CHARSET="UTF-16"', 'charset', 'UTF-16'],
  ['text/xml ; a=b ;charset=x;charset=y', 'charset', 'x'],
  ['text/xml; charset=', 'charset', ''],
  ['text/xml; charset="a;\\"b"', 'charset', 'a;"b'],
  ['text/xml; title="; charset=utf-16"', 'charset', undefined],
  [
    'application/soap+xml;action="http://tempuri.org/Add"; charset=utf-8',
    'action',
    'http://tempuri.org/Add',
  ],
  ['text/xml', 'charset', undefined],
  ['text/xml; charset', 'charset', undefined],
  ['', 'charset', undefined],
])('%j has the parameter %s: %j', (contentType, name, value) => {
  expect(parameterOf(contentType, name)).toBe(value);
});
