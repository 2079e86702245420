import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isBatch, jones } from '../employees.ts'
import { staffed } from './followed-staff.ts'
import { grown } from './grown-staff.ts'

describe('verify, repair and build', () => {
  it('do not count what the workers still have to do', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    expect(await main.indexed.verify()).toMatchObject({ rows: 1, kept: 0, found: 0 })
    await main.jobs.drain()
    expect(await main.indexed.verify()).toMatchObject({ rows: 1, kept: 2, found: 0 })
  })
})

describe('a repair of a unique index', () => {
  const email = '1@contoso.com'
  const find = { department: 'Sales', email }

  it.each([
    ['missing', 'gets'],
    ['of a row that is gone', 'gets'],
    ['of a row that is gone', 'lacks'],
  ])(
    'leaves a value whose entry is %s to the row that takes it first, while another one %s it',
    async (entry, other) => {
      const { indexed, employees, old, account, between } = await grown(1)
      await indexed.build()
      await old.delete({ department: 'Sales', id: 1 }, { etag: '*' })
      if (entry === 'missing') {
        const rows = await account
          .table('employees')
          .query()
          .where({ partitionKey: 'Sales' })
          .toArray()
        const stored = rows.find(({ rowKey }) => rowKey.includes('~email.'))
        await account
          .table('employees')
          .delete([stored?.partitionKey ?? '', stored?.rowKey ?? ''], { etag: '*' })
      }
      if (other === 'gets') await old.insert({ ...jones, id: 8, email })
      between(
        (request) => isBatch(request) && String(request.body).includes('~email.'),
        () => employees.insert({ ...jones, id: 9, email }),
      )
      await indexed.repair()
      expect(await indexed.find('email', find)).toMatchObject({ id: 9 })
    },
  )
})

describe('verify of an index of other partitions', () => {
  it('throws for a message that another program has changed', async () => {
    const { main } = await staffed()
    await main.employees.insert({ ...jones })
    const rows = main.account.table('employees')
    const all = await rows.query().allowTableScan().toArray()
    const message = all.find(({ rowKey }) => rowKey.endsWith('_000'))
    await rows.replace(new DynamicEntity(message?.partitionKey ?? '', message?.rowKey ?? ''), {
      etag: '*',
    })
    await expect(main.indexed.verify()).rejects.toMatchObject({ code: 'UnreadableKeptRow' })
  })
})
