import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareSummaries } from '@rowkey/patterns'
import { noRetry, type Transport, TransportError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/** Opens accounts of several programs on one service, whose clock moves only by sleeping. */
function programs() {
  const { transport, connectionString } = localTableService()
  let time = Date.UTC(2026, 10, 26)
  return (meanwhile: () => Promise<void> = async () => {}) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport: (request, limits) => transport(request, limits),
        retry: noRetry,
        now: () => time,
        sleep: async (ms) => {
          await meanwhile()
          time += ms
        },
      }),
    )
}

const define = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), email: z.string(), age: z.int32() }),
  })

const sales = { department: 'Sales' }

describe('while another declaration takes over', () => {
  it('an index is not read by a program that does not know of it yet', async () => {
    const open = programs()
    const account = open()
    const Employee = define()
    const indexed = declareIndexes(Employee, {
      mail: { rowKey: key`mail_${'email'}_${'id:6'}` },
    }).on(account)
    await account.table(Employee).create()
    await indexed.ensure()
    await account.table(Employee).insert({ ...sales, id: 1, email: 'a@x', age: 30 })

    const Next = define()
    const next = declareIndexes(Next, { mail: { rowKey: key`email_${'email'}_${'id:6'}` } })
    const writer = open().table(Next)
    const wrong: unknown[] = []
    let email = 'a@x'
    const taker = open(async () => {
      const other = `${email}.org`
      const write = writer.insertOrReplace({ ...sales, id: 1, email: other, age: 30 })
      await write.then(
        () => {
          email = other
        },
        () => undefined,
      )
      const query = indexed.query('mail', { ...sales, email })
      const count = await query.toArray().then(
        ({ length }) => length,
        () => 1,
      )
      if (count !== 1) wrong.push([email, count])
    })
    await next.on(taker).ensure()
    expect(wrong).toEqual([])
    expect(await next.on(taker).state('mail')).toBe('readable')
  })

  it('a summary is not read by a program that does not know of it yet', async () => {
    const open = programs()
    const account = open()
    const Employee = define()
    const summaries = declareSummaries(Employee, { all: { rowKey: key`sum_all` } }).on(account)
    await account.table(Employee).create()
    await account.table(Employee).insert({ ...sales, id: 1, email: 'a@x', age: 30 })
    expect(await summaries.get('all', sales)).toMatchObject({ count: 1 })

    const Next = define()
    const isOld = ({ age }: { readonly age: number }) => age > 50
    const next = declareSummaries(Next, { all: { rowKey: key`sum_all`, where: isOld } })
    const writer = open().table(Next)
    const wrong: unknown[] = []
    const taker = open(async () => {
      await writer.delete({ ...sales, id: 1 }, { etag: '*' }).catch(() => undefined)
      const rows = await account.table(Employee).query().where(sales).count()
      const { count } = await summaries.get('all', sales).catch(() => ({ count: rows }))
      if (count !== rows) wrong.push([count, rows])
    })
    await next.on(taker).ensure()
    expect(wrong).toEqual([])
    expect(await next.on(taker).get('all', sales)).toMatchObject({ count: 0 })
  })
})

describe('programs with different leases', () => {
  const leases = [60_000, 1_000] as const

  it.each([leases, leases.toReversed()] as [number, number][])(
    'learn that an index was removed: %i beside %i',
    async (readers, removers) => {
      const open = programs()
      const programOf = (lease: number) => {
        const [account, Employee] = [open(), define()]
        const definitions = { mail: { rowKey: key`mail_${'email'}_${'id:6'}` } }
        const indexed = declareIndexes(Employee, definitions, { lease }).on(account)
        return { indexed, staff: account.table(Employee) }
      }
      const [reader, remover] = [programOf(readers), programOf(removers)]
      await reader.staff.create()
      await remover.indexed.ensure()
      await reader.staff.insert({ ...sales, id: 1, email: 'a@x', age: 30 })
      const query = reader.staff.query().where({ ...sales, email: 'a@x' })
      expect(await query.count()).toBe(1)
      await remover.indexed.remove('mail')
      await remover.staff.insert({ ...sales, id: 2, email: 'a@x', age: 30 })
      expect(await query.count()).toBe(2)
    },
  )
})

it('an index has the rows of programs by an earlier declaration whose lease is longer', async () => {
  const { transport, connectionString } = localTableService()
  let time = Date.UTC(2026, 10, 26)
  const open = (meanwhile = async () => {}) =>
    new Account(
      tableService({
        connectionString: connectionString(),
        transport,
        retry: noRetry,
        now: () => time,
        sleep: async (ms) => {
          time += ms
          await meanwhile()
        },
      }),
    )
  const [Employee, Next] = [define(), define()]
  const mail = { rowKey: key`mail_${'email'}_${'id:6'}` }
  declareIndexes(Employee, { mail }, { lease: 60_000 })
  const next = declareIndexes(
    Next,
    { mail: { rowKey: key`email_${'email'}_${'id:6'}` } },
    { lease: 1_000 },
  )
  const staff = open().table(Employee)
  await staff.create()
  let id = 0
  const write = () => staff.insert({ ...sales, id: ++id, email: 'a@x', age: 30 })
  await write()
  const taker = open(async () => void (await write().catch(() => undefined)))
  await next.on(taker).ensure()
  await expect(write()).rejects.toMatchObject({ code: 'IndexDeclarationDiffers' })
  expect(await next.on(taker).verify()).toMatchObject({ found: 0 })
})

describe('a rebuild', () => {
  const definitions = { mail: { rowKey: key`mail_${'email'}_${'id:6'}` } }

  it('goes on when the response to a write of its progress is lost', async () => {
    let [slept, lost] = [0, 0]
    const { transport, connectionString } = localTableService()
    const losing: Transport = async (request, limits) => {
      const response = await transport(request, limits)
      if (!request.body?.includes('takeOver') && !request.body?.includes('startedAt'))
        return response
      lost++
      throw new TransportError({ message: 'Lost.', mayHaveApplied: true })
    }
    const account = new Account(
      tableService({
        connectionString: connectionString(),
        transport: losing,
        retry: noRetry,
        sleep: async (ms) => {
          slept += ms
        },
      }),
    )
    const Employee = define()
    await account.table(Employee).create()
    await account.table(Employee).insert({ ...sales, id: 1, email: 'a@x', age: 30 })
    const indexed = declareIndexes(Employee, definitions).on(account)
    expect(await indexed.rebuild()).toMatchObject({ rows: 1, found: 1, repaired: 1 })
    expect([lost > 1, slept]).toEqual([true, 0])
  })
})
