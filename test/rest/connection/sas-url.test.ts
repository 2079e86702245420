import { endpointOf, parseSasUrl, SasCredential, tableSas } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, read } from '../people.ts'
import { expiry, now, signer } from '../sas/signer.ts'

const sas = 'sv=2019-02-02&tn=people&sp=r&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D'

describe('parseSasUrl', () => {
  it.each([
    [`https://contoso.table.core.windows.net?${sas}`, 'https://contoso.table.core.windows.net'],
    [`https://contoso.table.core.windows.net/?${sas}`, 'https://contoso.table.core.windows.net'],
    [
      `https://contoso.table.core.windows.net/People?${sas}`,
      'https://contoso.table.core.windows.net',
    ],
    [`http://127.0.0.1:10002/seeds/people/?${sas}`, 'http://127.0.0.1:10002/seeds'],
    [
      `http://127.0.0.1:10002/people?${sas.replace('tn=people&', '')}`,
      'http://127.0.0.1:10002/people',
    ],
  ])('R-16: reads %s', (url, endpoint) => {
    const settings = parseSasUrl(url)
    expect(settings.endpoint).toEqual(endpointOf(endpoint))
    expect(settings.credential).toBeInstanceOf(SasCredential)
  })

  it('reads the URL of a SharedAccessSignature exactly', async () => {
    const made = tableSas({ credential: signer, table: 'people', permissions: 'r', expiry, now })
    const { endpoint, credential } = parseSasUrl(made.urlAt(contoso))
    expect(endpoint).toEqual(contoso)
    const signed = await credential.authorize(read, endpoint, now())
    expect(signed).toMatchObject({ query: made.token })
  })

  it.each([
    ['', /https:\/\//],
    ['contoso', /https:\/\//],
    [`ftp://contoso.table.core.windows.net?${sas}`, /http/],
    [`https://user:c2VjcmV0@contoso.table.core.windows.net?${sas}`, /no user/],
    [`https://contoso.table.core.windows.net?${sas}#c2VjcmV0`, /no fragment/],
    [
      'https://contoso.table.core.windows.net?sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
      /sv and sig/,
    ],
    [`https://tables.contoso.example?${sas}`, /does not show its account/],
  ])('rejects %s without showing a secret', (url, says) => {
    expect(() => parseSasUrl(url)).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^Invalid(Endpoint|Credential)$/),
        message: expect.stringMatching(says),
      }),
    )
    expect(() => parseSasUrl(url)).not.toThrow(/c2VjcmV0/)
  })
})
