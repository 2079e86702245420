import { describe, expect, it } from 'vitest'
import { managed, sales } from './managers.ts'

describe('declareCopies', () => {
  it('repair mends what a program without the declaration wrote', async () => {
    const { account, departments, managers } = await managed()
    const rows = account.table('staff')
    const row = await rows.get(['Sales', 'empid_223'])
    await rows.merge(row.set('lastName', 'Jonas'))
    const copies = managers.on(account)
    expect(await copies.verify()).toMatchObject({
      rows: 1,
      findings: [{ name: 'copies', kind: 'stale', row: { rowKey: 'department' }, repaired: false }],
    })
    expect(await copies.repair()).toMatchObject({ rows: 1, found: 1, repaired: 1 })
    expect(await copies.repair()).toMatchObject({ rows: 1, found: 0 })
    expect((await departments.get(sales)).managerName).toBe('Jonas')
  })

  it('repair reports a holder that it cannot read, and goes on', async () => {
    const { account, managers } = await managed()
    const rows = account.table('staff')
    await rows.merge((await rows.get(['Sales', 'department'])).set('managerName', 7))
    await rows.insert({ partitionKey: 'Ops', rowKey: 'department', managerName: 'Nobel' })
    expect(await managers.on(account).repair()).toMatchObject({
      rows: 2,
      repaired: 1,
      findings: [
        { kind: 'stale', row: { partitionKey: 'Ops' }, repaired: true },
        {
          kind: 'unreadable',
          row: { partitionKey: 'Sales', rowKey: 'department' },
          error: expect.objectContaining({ code: expect.any(String), name: 'DecodeError' }),
          repaired: false,
        },
      ],
    })
    expect(await rows.get(['Sales', 'department'])).toBeDefined()
  })

  it('repair removes the copies of a source that a program without the declaration deleted', async () => {
    const { account, departments, managers } = await managed()
    await account.table('staff').delete(['Sales', 'empid_223'], { etag: '*' })
    expect(await managers.on(account).repair()).toMatchObject({ rows: 1, repaired: 1 })
    expect((await departments.get(sales)).managerName).toBeUndefined()
  })
})
