import { localTableService } from '@rowkey/local'
import { createTable, noRetry, perform, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

const KEY = Buffer.from('a key that guards nothing').toString('base64')

describe('the credential of an embedded account', () => {
  const local = localTableService({
    accounts: [
      { name: 'contoso', key: KEY },
      { name: 'fabrikam', key: 'AAAA' },
    ],
  })
  const createIn = async (account: string, credential = local.credential(account)) => {
    const endpoint = `http://localhost/${account}`
    const service = tableService({
      endpoint,
      credential,
      transport: local.transport,
      retry: noRetry,
    })
    await perform(service, createTable, { table: 'people' })
  }

  it('signs requests for the named account, or for the first', async () => {
    await createIn('fabrikam')
    await createIn('contoso', local.credential())
    expect(local.requests.entries().map(({ account, status }) => [account, status])).toEqual([
      ['fabrikam', 204],
      ['contoso', 204],
    ])
  })

  it('is rejected by another account', async () => {
    await expect(createIn('fabrikam', local.credential('contoso'))).rejects.toMatchObject({
      code: 'AuthenticationFailed',
    })
  })

  it('does not show the key', () => {
    expect(JSON.stringify(local.credential())).not.toContain(KEY)
  })

  it('rejects an unknown account', () => {
    expect(() => local.credential('tailspin')).toThrow(
      expect.objectContaining({ code: 'InvalidAccount' }),
    )
  })
})
