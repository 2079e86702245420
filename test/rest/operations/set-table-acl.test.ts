import { setTableAcl } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos } from '../people.ts'

describe('setTableAcl', () => {
  it('R-74: puts all policies as XML', () => {
    const policies = [{ id: 'readers', permissions: 'r' }]
    expect(setTableAcl.toRequest({ table: 'people', policies }, contoso)).toMatchObject({
      method: 'PUT',
      path: '/people',
      query: 'comp=acl',
      headers: { 'content-type': 'application/xml' },
      body: expect.stringContaining('<Id>readers</Id>'),
    })
  })

  it('R-74: rejects a sixth policy', () => {
    const policies = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id }))
    expect(() => setTableAcl.toRequest({ table: 'people', policies }, contoso)).toThrow(
      expect.objectContaining({ code: 'InvalidAccessPolicy' }),
    )
  })

  it('rejects Cosmos DB, which has no policies', () => {
    expect(() => setTableAcl.toRequest({ table: 'people', policies: [] }, cosmos)).toThrow(
      expect.objectContaining({ code: 'UnsupportedOperation' }),
    )
  })

  it('ignores the body of the response', () => {
    const response = { status: 204, headers: {}, body: '' }
    const input = { table: 'people', policies: [] }
    expect(setTableAcl.fromResponse(response, input)).toBeUndefined()
  })
})
