import { BearerCredential, SasCredential, SharedKeyCredential, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { toCredential } from '../../../packages/rest/src/connection/to-credential.ts'

const endpoint = 'https://contoso.table.core.windows.net'
const key = 'bm90IGEgcmVhbCBrZXk='

describe('toCredential', () => {
  it.each([
    ['a credential with getToken', { getToken: async () => null }, BearerCredential],
    ['a name and a key', { name: 'contoso', key }, SharedKeyCredential],
    ['a shared access signature', { sas: 'sv=2019-02-02&sp=r&sig=c2VjcmV0' }, SasCredential],
  ])('makes a credential from %s', (_, given, made) => {
    expect(toCredential(given)).toBeInstanceOf(made)
    expect(tableService({ endpoint, credential: given }).credential).toBeInstanceOf(made)
  })

  it('returns a credential as it is', () => {
    const credential = new SharedKeyCredential({ account: 'contoso', key })
    expect(toCredential(credential)).toBe(credential)
  })

  it.each([null, 'key', {}, { name: 'contoso' }, { key }])(
    'rejects %o, and shows no key',
    (given) => {
      const make = () => tableService({ endpoint, credential: given as never })
      expect(make).toThrow(expect.objectContaining({ code: 'InvalidOptionValue' }))
      expect(make).not.toThrow(new RegExp(key))
    },
  )
})
