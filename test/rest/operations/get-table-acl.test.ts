import { getTableAcl } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, emulator } from '../people.ts'

describe('getTableAcl', () => {
  it('R-74: reads the access control list of the table', () => {
    expect(getTableAcl.toRequest({ table: 'people' }, emulator)).toMatchObject({
      method: 'GET',
      path: '/devstoreaccount1/people',
      query: 'comp=acl',
      headers: { accept: 'application/xml' },
    })
  })

  it('R-74: returns the policies', async () => {
    const body =
      '<SignedIdentifiers><SignedIdentifier><Id>empty</Id></SignedIdentifier></SignedIdentifiers>'
    const response = { status: 200, headers: {}, body }
    expect(await getTableAcl.fromResponse(response, { table: 'people' })).toEqual([{ id: 'empty' }])
  })

  it('R-01: rejects an invalid name', () => {
    expect(() => getTableAcl.toRequest({ table: 'a/b' }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it('rejects Cosmos DB, which has no policies', () => {
    expect(() => getTableAcl.toRequest({ table: 'people' }, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })
})
