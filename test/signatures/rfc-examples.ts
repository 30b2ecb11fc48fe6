/** The examples of RFC 9421 appendix B, as message/http. */

const request = [
  'POST /foo?param=Value&Pet=dog HTTP/1.1',
  'Host: example.com',
  'Date: Tue, 20 Apr 2021 02:07:55 GMT',
  'Content-Type: application/json',
  'Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
  'Content-Length: 18',
];
const requestBody = '{"hello": "world"}';

const response = [
  'HTTP/1.1 200 OK',
  'Date: Tue, 20 Apr 2021 02:07:56 GMT',
  'Content-Type: application/json',
  'Content-Digest: sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
  'Content-Length: 23',
];

/** Behind a proxy that terminated TLS. */
const proxied = [
  'POST /foo?param=Value&Pet=dog HTTP/1.1',
  'Host: service.internal.example',
  'Date: Tue, 20 Apr 2021 02:07:55 GMT',
  'Content-Type: application/json',
  'Content-Length: 18',
  'Client-Cert: :MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:',
];

/** B.4, as it was sent; the appendix changes it in ways that keep the signature valid. */
export const changed = (head: readonly string[]): string =>
  messageOf(
    head,
    'transform=("@method" "@path" "@authority" "accept");created=1618884473;keyid="test-key-ed25519"',
    'transform=:ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA==:',
    '',
  );

export interface RfcExample {
  readonly section: string;
  readonly keyid: string;
  readonly message: string;
}

export const rfcExamples: readonly RfcExample[] = [
  {
    section: 'B.2.1',
    keyid: 'test-key-rsa-pss',
    message: messageOf(
      request,
      'sig-b21=();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"',
      'sig-b21=:d2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==:',
      requestBody,
    ),
  },
  {
    section: 'B.2.2',
    keyid: 'test-key-rsa-pss',
    message: messageOf(
      request,
      'sig-b22=("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"',
      'sig-b22=:LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==:',
      requestBody,
    ),
  },
  {
    section: 'B.2.3',
    keyid: 'test-key-rsa-pss',
    message: messageOf(
      request,
      'sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"',
      'sig-b23=:bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==:',
      requestBody,
    ),
  },
  {
    section: 'B.2.4',
    keyid: 'test-key-ecc-p256',
    message: messageOf(
      response,
      'sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
      'sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:',
      '{"message": "good dog"}',
    ),
  },
  {
    section: 'B.2.5',
    keyid: 'test-shared-secret',
    message: messageOf(
      request,
      'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
      'sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:',
      requestBody,
    ),
  },
  {
    section: 'B.2.6',
    keyid: 'test-key-ed25519',
    message: messageOf(
      request,
      'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
      'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:',
      requestBody,
    ),
  },
  {
    section: 'B.3',
    keyid: 'test-key-ecc-p256',
    message: messageOf(
      proxied,
      'ttrp=("@path" "@query" "@method" "@authority" "client-cert");created=1618884473;keyid="test-key-ecc-p256"',
      'ttrp=:xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw==:',
      requestBody,
    ),
  },
];

function messageOf(
  head: readonly string[],
  input: string,
  signature: string,
  body: string,
): string {
  const lines = [...head, `Signature-Input: ${input}`, `Signature: ${signature}`];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
