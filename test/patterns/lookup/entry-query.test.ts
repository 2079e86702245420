import { rawFilter } from '@rowkey/odata'
import { ne } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { sales, staff } from '../indexes/queried-staff.ts'

describe('a query in the order of an index', () => {
  it('rejects a raw filter that only the service understands, and says what to do', async () => {
    const { indexed, sent } = await staff()
    const query = indexed
      .query('lastName', sales)
      .where(rawFilter('substringof(lastName, firstName)'))
    sent.length = 0
    await expect(query.toArray()).rejects.toMatchObject({
      code: 'InvalidQuery',
      message: expect.stringMatching(
        /^A query by an index compares entities .* Write the condition/,
      ),
    })
    expect(sent).toEqual([])
    const raw = rawFilter("firstName eq 'Jon'")
    expect(await indexed.query('lastName', sales).where(raw).count()).toBe(12)
  })

  it('selects parts of the keys of rows that no entry has, and does not compare them', async () => {
    const { indexed } = await staff()
    const named = indexed.query('email', { ...sales, email: '7@x' })
    expect(await named.select('department', 'id').toArray()).toEqual([
      { department: 'Sales', id: 7 },
    ])
    expect(() => named.where({ id: 7 })).toThrow('Only the key of the rows has it')
    expect(() => named.select('nothing' as 'id')).toThrow('does not store a property')
  })

  it('counts no entry that its other conditions exclude', async () => {
    const { indexed } = await staff()
    const named = indexed.query('email', { ...sales, email: '7@x' })
    expect(await named.count()).toBe(1)
    expect(await named.where({ email: ne('7@x') }).count()).toBe(0)
    expect(await named.where((employee) => employee.email.eq('7@x').not()).count()).toBe(0)
  })
})
