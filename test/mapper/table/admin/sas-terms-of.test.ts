import {
  SasCredential,
  SharedKeyCredential,
  type TableService,
  tableSas,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { sasTermsOf } from '../../../../packages/mapper/src/table/admin/sas-terms-of.ts'

const credential = new SharedKeyCredential({ account: 'contoso', key: 'a2V5' })
const now = () => Date.UTC(2021, 8, 21)
const at = (endpoint: string): TableService => tableService({ endpoint, credential, now })
const azure = at('https://contoso.table.core.windows.net')
const emulator = at('http://127.0.0.1:10002/contoso')

describe('sasTermsOf', () => {
  it('adds the key and the clock of the account', () => {
    expect(sasTermsOf(azure, {})).toEqual({ credential, now: azure.now, protocol: undefined })
  })

  it.each([
    [azure, {}, 'https'],
    [azure, { protocol: 'https,http' }, 'https,http'],
    [emulator, {}, 'https,http'],
    [emulator, { protocol: 'https' }, 'https'],
    [emulator, { version: '2020-12-06' }, 'https,http'],
    [emulator, { version: '2013-08-15' }, undefined],
  ] as const)('allows plain http where the account is reached by it', (service, given, spr) => {
    const terms = { permissions: 'r', expiry: new Date(Date.UTC(2099, 0)), ...given }
    const { token } = tableSas({ ...terms, ...sasTermsOf(service, terms), table: 'people' })
    expect(new URLSearchParams(token).get('spr') ?? undefined).toBe(spr)
  })

  it('rejects an account that was opened without its key', () => {
    const sas = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const service = tableService({
      endpoint: 'https://contoso.table.core.windows.net',
      credential: sas,
    })
    expect(() => sasTermsOf(service, {})).toThrow(
      expect.objectContaining({
        code: 'AccountKeyRequired',
        message: expect.stringContaining("'contoso'"),
      }),
    )
  })
})
