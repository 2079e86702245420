import { type Account, defineEntity, key } from '@rowkey/mapper'
import {
  chunkStore,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
  wideEntity,
} from '@rowkey/patterns'
import { AmbiguousWriteError, exponentialRetry, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Announced, announcedTo } from './announcing.ts'
import { isBatch, office } from './employees.ts'

const schema = z.object({
  department: z.string(),
  id: z.int(),
  title: z.string().optional(),
  phone: z.string().optional(),
})

const defineStaff = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema,
  })

type Staff = ReturnType<typeof defineStaff>

/** Declarations whose kept row for a title has the same content for each program that stores it. */
const declarations: Readonly<Record<string, (staff: Staff) => unknown>> = {
  summaries: (staff) => declareSummaries(staff, { byTitle: { rowKey: key`${'title'}` } }),
  'unique indexes': (staff) =>
    declareIndexes(staff, { byTitle: { rowKey: key`${'title'}`, unique: true } }),
}

describe('a write whose request was lost', () => {
  it.each(Object.keys(declarations))(
    'R-24: is not taken for applied because another program stored an equal row: %s',
    async (name) => {
      const { account, rival, between } = office()
      const [mine, theirs] = [defineStaff(), defineStaff()]
      for (const staff of [mine, theirs]) declarations[name]?.(staff)
      const employees = account.table(mine)
      await employees.create()
      const jones = { department: 'Sales', id: 1 }
      const employee = await employees.insert(jones)
      between(isBatch, async () => {
        const others = rival().table(theirs)
        const id = name === 'summaries' ? 2 : 1
        if (id === 2) await others.insert({ ...jones, id })
        await others.modify({ ...jones, id }, (other) => {
          other.title = 'dev'
        })
        await others.modify(jones, (other) => {
          other.phone = '1'
        })
        throw new TransportError({ message: 'The request was lost.', mayHaveApplied: true })
      })
      Object.assign(employee, { title: 'dev', phone: '2' })
      const writing = employees.merge(employee, { retry: exponentialRetry() })
      await expect(writing).rejects.toThrow(AmbiguousWriteError)
      expect((await employees.get(jones)).phone).toBe('1')
    },
  )
})

/** Staff with an index and an outbox, and their table on an account that loses each response to a transaction. */
async function unlucky() {
  const { account, over } = office()
  const staff = defineStaff()
  declareIndexes(staff, { byPhone: { rowKey: key`${'phone'}_${'id:6'}` } })
  const outbox = declareOutbox(staff, {
    messages: ({ after }) => (after?.title === undefined ? [] : [after.title]),
    ...announcedTo(),
  })
  const losing = over((service) => async (request, limits) => {
    const response = await service(request, limits)
    if (!isBatch(request)) return response
    throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
  })
  const employees = account.table(staff)
  await employees.create()
  return { account, losing, outbox, employees, unluckyEmployees: losing.table(staff) }
}

/** What `resolve` says of a write whose response is lost, after others have acted. */
async function resolved(write: Promise<unknown>, act: () => Promise<unknown>): Promise<string> {
  const error: unknown = await write.catch((thrown: unknown) => thrown)
  if (!(error instanceof AmbiguousWriteError)) throw error
  await act()
  return error.resolve()
}

describe('resolve', () => {
  const sales: Announced = { table: 'staff', partitionKey: 'Sales' }

  it('is not misled by a message that was handled', async () => {
    const { account, losing, outbox, employees, unluckyEmployees } = await unlucky()
    const jones = { department: 'Sales', id: 1, title: 'dev' }
    const deliver = () => outbox.on(account).deliver(sales, async () => {})
    expect(await resolved(unluckyEmployees.insert(jones), deliver)).toBe('applied')
    const read = await unluckyEmployees.get(jones)
    read.title = 'ops'
    expect(await resolved(unluckyEmployees.merge(read), deliver)).toBe('unknown')
    expect((await employees.get(jones)).title).toBe('ops')
    const sending = outbox.on(losing).send({ department: 'Sales' }, 'hello')
    expect(await resolved(sending, deliver)).toBe('unknown')
  })

  it('takes a message that is stored as a proof', async () => {
    const { employees, unluckyEmployees } = await unlucky()
    await employees.insert({ department: 'Sales', id: 1 })
    const read = await unluckyEmployees.get({ department: 'Sales', id: 1 })
    read.title = 'ops'
    expect(await resolved(unluckyEmployees.merge(read), async () => {})).toBe('applied')
  })

  it('is not misled by an entry that another program moved on', async () => {
    const { employees, unluckyEmployees } = await unlucky()
    const ann = { department: 'Sales', id: 1, phone: '1' }
    await employees.insert(ann)
    const read = await unluckyEmployees.get(ann)
    read.phone = '2'
    const move = () =>
      employees.modify(ann, (row) => {
        row.phone = '3'
      })
    expect(await resolved(unluckyEmployees.merge(read), move)).toBe('unknown')
  })
})

const ids = { p: z.string(), id: z.string() }
const place = { name: 'rows', partitionKey: key`${'p'}` }

/** Defines the rows of one call, since each declaration needs a model of its own. */
const defineRows = () =>
  defineEntity({
    ...place,
    rowKey: key`${'id'}`,
    schema: z.object({ ...ids, one: z.string().optional() }),
  })

const row = { p: 'p', id: '1' }
const keyed = { idempotencyKey: 'once' }

/** Calls that read after a write. Each prepares its rows, and returns the call. */
const reading: Readonly<
  Record<string, (account: Account) => Promise<(account: Account) => Promise<unknown>>>
> = {
  'modify of a wide entity': async (account) => {
    const Second = defineEntity({
      ...place,
      rowKey: key`${'id'}_02`,
      schema: z.object({ ...ids, two: z.string().optional() }),
    })
    const wide = wideEntity(defineRows(), Second)
    await account.createTable('rows')
    await wide.on(account).insert({ ...row, one: 'a' })
    const change = (entity: { one?: string | undefined }): void => {
      entity.one = 'b'
    }
    return (used) => wide.on(used).modify(row, change, keyed)
  },
  'save of a large value': async (account) => {
    const Row = defineRows()
    const values = declareLargeValues(Row, {
      property: 'one',
      store: (used) => chunkStore(used, { table: 'values' }),
    })
    await Promise.all([account.createTable('rows'), account.createTable('values')])
    await account.table(Row).insert({ ...row })
    return async (used) => {
      const read = await used.table(Row).get(row)
      await values.on(used).save(read, new Uint8Array(1), keyed)
    }
  },
}

describe('a call that reads after its write', () => {
  it.each(Object.entries(reading))(
    'says that the write may have been applied when the read fails: %s',
    async (_, begin) => {
      const opened = office()
      const call = await begin(opened.account)
      let isWritten = false
      const ending = opened.over((service) => async (request, limits) => {
        if (isWritten) {
          throw new TransportError({ message: 'No connection.', mayHaveApplied: false })
        }
        isWritten = isBatch(request) && String(request.body).includes('/rows')
        return service(request, limits)
      })
      await expect(call(ending)).rejects.toMatchObject({
        message: 'No connection.',
        mayHaveApplied: true,
      })
      expect(isWritten).toBe(true)
    },
  )
})
