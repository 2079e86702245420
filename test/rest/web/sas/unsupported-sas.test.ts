import type { AccountSasOptions, TableSasOptions } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { accountSas } from '../../../../packages/rest/src/web/sas/account-sas.ts'
import { tableSas } from '../../../../packages/rest/src/web/sas/table-sas.ts'
import { expiry, signer } from '../../sas/signer.ts'

const common = { credential: signer, expiry, permissions: 'r' }
const table: TableSasOptions = { ...common, table: 'people' }
const account: AccountSasOptions = { ...common, resourceTypes: 'o' }

describe('making a shared access signature in a page or a worker', () => {
  it.each([
    ['tableSas', () => tableSas(table)],
    ['accountSas', () => accountSas(account)],
  ])('is rejected by %s, with the reason and the alternative', (_, make) => {
    expect(make).toThrow(
      expect.objectContaining({
        code: 'UnsupportedOperation',
        message: expect.stringMatching(/synchronous HMAC\. Make it on Node/),
      }),
    )
  })
})
