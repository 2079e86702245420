import { describe, expect, it } from 'vitest'
import { notesOfTenants } from '../notes-of-tenants.ts'

describe('the summaries of the rows of one tenant', () => {
  it('count these rows, without the tenant', async () => {
    const { summaries, acme } = await notesOfTenants()
    const own = summaries.on(acme)
    expect(await own.get('all', {})).toEqual({ count: 2, sums: { size: 3 } })
    expect((await own.get('byTag', { tag: 'x' })).count).toBe(2)
    const groups = []
    for await (const { group, summary } of own.query('byTag', {}))
      groups.push([group, summary.count])
    expect(groups).toEqual([[{ tag: 'x' }, 2]])
  })
})
