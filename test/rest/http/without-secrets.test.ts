import {
  BearerCredential,
  entityGroupTransaction,
  getEntity,
  type HttpResponse,
  insertEntity,
  noRetry,
  perform,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from '../../../packages/rest/src/http/without-secrets.ts'
import { contoso, jeff, read } from '../people.ts'

/** Shorter than what every text is searched for. */
const TOKEN = 'a+b/c~d'

const bearer = (token: string) =>
  new BearerCredential({
    credential: { getToken: async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 }) },
  })

const serviceThatSays = (response: HttpResponse, token = TOKEN) =>
  tableService({
    endpoint: contoso,
    credential: bearer(token),
    retry: noRetry,
    transport: async () => response,
  })

const jsonError = (message: string, code = 'AuthenticationFailed') =>
  JSON.stringify({ 'odata.error': { code, message: { lang: 'en-US', value: message } } })

const messageOf = (response: HttpResponse): Promise<string> =>
  perform(serviceThatSays(response), getEntity, jeff).then(
    () => '',
    (error: Error) => `${error.message}\n${error.stack}\n${JSON.stringify(error)}`,
  )

describe('an error that repeats a short token', () => {
  it.each([
    ['as it was sent', jsonError(`The token ${TOKEN} is expired.`)],
    ['after its scheme', jsonError(`got "Bearer ${TOKEN}"`)],
    ['with the escapes of .NET', jsonError('TOKEN').replace('TOKEN', 'a\\u002bb/c~d')],
    ['with escaped slashes', jsonError('TOKEN').replace('TOKEN', 'a+b\\/c~d')],
    ['percent-encoded twice', jsonError('url?t=a%252Bb%252Fc~d&x')],
    ['as its code', jsonError('', TOKEN)],
    [
      'in XML',
      '<m:error xmlns:m="x"><m:code>a</m:code><m:message>a&#x2b;b/c~d</m:message></m:error>',
    ],
  ])('does not show it %s', async (_, body) => {
    const message = await messageOf({ status: 401, headers: {}, body })
    expect(message).toContain('<redacted>')
    expect(message).not.toMatch(/b(?:\/|%252F)c~d/)
  })

  it('does not show it in a header', async () => {
    const headers = { 'x-ms-error-code': `Bad_${TOKEN}`, 'x-ms-request-id': TOKEN }
    const message = await messageOf({ status: 403, headers, body: '' })
    expect(message).toContain('(403 Bad_<redacted>)')
  })

  it('does not show it in a part of a batch', async () => {
    const body = [
      '--b',
      'Content-Type: multipart/mixed; boundary=c',
      '',
      '--c',
      'Content-Type: application/http',
      '',
      'HTTP/1.1 403 Forbidden',
      'Content-Type: application/json',
      '',
      jsonError(`0:no ${TOKEN}`),
      '--c--',
      '--b--',
    ].join('\r\n')
    const service = serviceThatSays({
      status: 202,
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body,
    })
    const changes = { table: 'people', changes: [{ operation: insertEntity, input: jeff }] }
    const batch = perform(service, entityGroupTransaction, changes as never)
    await expect(batch).rejects.toThrow(/no <redacted>/)
  })

  it('shows the words that the token is a part of', async () => {
    const body = jsonError('TableNotFound in x', 'TableNotFound')
    const failed = perform(
      serviceThatSays({ status: 404, headers: {}, body }, 'Table'),
      getEntity,
      jeff,
    )
    await expect(failed).rejects.toMatchObject({ code: 'TableNotFound' })
  })
})

describe('withoutSecrets', () => {
  const sent = { ...read, headers: { ...read.headers, authorization: `Bearer ${TOKEN}` } }

  it('leaves a success as it is', () => {
    const response = { status: 200, headers: {}, body: TOKEN }
    expect(withoutSecrets(response, read, sent)).toBe(response)
  })

  it('removes every header that a credential adds, and the signature of a SAS', () => {
    const body = 'key k-1 of account, SharedKey contoso:s3=, sig s%2F4 and s/4, k-12'
    const request = {
      ...sent,
      query: 'sv=1&sig=s%2F4',
      headers: {
        'x-functions-key': 'k-1',
        authorization: 'SharedKey contoso:s3=',
        'x-ms-date': 'of',
      },
    }
    expect(withoutSecrets({ status: 500, headers: { a: 'k-1' }, body }, read, request)).toEqual({
      status: 500,
      headers: { a: '<redacted>' },
      body: 'key <redacted> of account, SharedKey contoso:<redacted>, sig <redacted> and <redacted>, k-12',
    })
  })

  it('removes a secret of a very long error, too', () => {
    const body = `${'x '.repeat(100_000)}${TOKEN}`
    const { body: shown } = withoutSecrets({ status: 500, headers: {}, body }, read, sent)
    expect(shown.endsWith(' <redacted>')).toBe(true)
  })
})
