import { describe, expect, it } from 'vitest'
import { notesOfTenants } from '../notes-of-tenants.ts'

describe('the indexes of the rows of one tenant', () => {
  it('read these rows by any index, without the tenant', async () => {
    const { indexes, acme } = await notesOfTenants()
    const own = indexes.on(acme)
    expect(await own.find('size', { size: 2 })).toMatchObject({ tenant: 'a', id: 2 })
    for (const index of ['tag', 'everywhere'] as const) {
      const query = own.query(index, { tag: 'x' })
      expect(await query.toArray()).toMatchObject([
        { tenant: 'a', id: 1 },
        { tenant: 'a', id: 2 },
      ])
      expect(await query.count()).toBe(2)
      const { items, next } = await query.page({ size: 1 })
      expect(items).toMatchObject([{ tenant: 'a', id: 1 }])
      expect((await query.page({ size: 2, token: next })).items).toMatchObject([{ id: 2 }])
      const copies = (await own.copies(index)).where({ tag: 'x' })
      expect(await copies.toArray()).toMatchObject([
        { tenant: 'a', size: 1 },
        { tenant: 'a', size: 2 },
      ])
    }
    const found = await own.find('size', { size: 1 })
    if (!found) throw new Error('The index lacks a row.')
    await acme.merge({ ...found, size: 9 }, { etag: '*' })
    expect(await own.find('size', { size: 9 })).toMatchObject({ id: 1 })
  })

  it('write the entries that follow from these rows alone', async () => {
    const { account, Note, indexes, acme } = await notesOfTenants()
    await acme.insert({ id: 3, tag: 'y', size: 3 })
    await account.table(Note).insert({ tenant: 'b', id: 3, tag: 'y', size: 3 })
    expect(await indexes.on(acme).refresh({})).toBe(1)
    expect(await indexes.on(account).query('everywhere', { tag: 'y' }).count()).toBe(1)
  })
})
