import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isBatch, jones } from '../employees.ts'
import { program, staffed } from './followed-staff.ts'
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

describe('a row that changes while its difference is read again', () => {
  /** Verifies a row whose value changes before some of the reads; a worker follows all changes but the last. */
  async function verified(
    first: object,
    changes: readonly (readonly [read: string, email: string])[],
  ) {
    const { main, open, transport } = await staffed()
    const { email: _, ...rest } = jones
    await main.employees.insert({ ...rest, ...first })
    await main.indexed.refresh(jones)
    const left = [...changes]
    const { indexed } = program(
      open(async (request, limits) => {
        const [next] = left
        if (next !== undefined && request.method === 'GET' && request.path.includes(next[0])) {
          left.shift()
          await main.employees.modify({ department: 'Sales', id: 223 }, (employee) => {
            employee.email = next[1]
          })
          if (left.length > 0) await main.indexed.refresh(jones)
        }
        return transport(request, limits)
      }),
    )
    const { found } = await indexed.verify({ only: ['email'] })
    expect(left).toEqual([])
    return found
  }

  it('does not count when another entry of it is wrong then', async () => {
    const changes = [
      ['/employees()', 'b@contoso.com'],
      ["RowKey='empid_", 'c@contoso.com'],
    ] as const
    expect(await verified({ email: jones.email }, changes)).toBe(0)
  })

  it('does not count when the same entry is wrong for another version of it', async () => {
    const changes = [
      ['/employees()', 'b@contoso.com'],
      ['/lookups(', 'c@contoso.com'],
      ["RowKey='empid_", 'b@contoso.com'],
    ] as const
    expect(await verified({}, changes)).toBe(0)
  })
})
