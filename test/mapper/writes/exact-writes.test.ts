import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import {
  EntityNotFoundError,
  type HttpRequest,
  type HttpResponse,
  noRetry,
  type TableServiceSettings,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const HOUR = 3_600_000

/** The table `people` of an account, whose next response, or a later one, is lost when `lose` is called. */
async function exactTable(settings: TableServiceSettings = {}) {
  let now = Date.UTC(2026, 10, 20, 12)
  let losing = 0
  const local = localTableService({ now: () => now })
  const requests: HttpRequest[] = []
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    requests.push(request)
    const response = await local.transport(request)
    if (losing === 0 || --losing > 0) return response
    throw new TransportError({ message: 'Lost.', mayHaveApplied: request.method !== 'GET' })
  }
  const connectionString = local.connectionString()
  const clock = { now: () => now, sleep: async () => {} }
  const service = tableService({
    connectionString,
    transport,
    exactWrites: true,
    ...clock,
    ...settings,
  })
  const table = new Account(service).table('people')
  await table.create()
  requests.length = 0
  const lose = (nth = 1) => {
    losing = nth
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { table, requests, lose, pass }
}

const person = (name: string, n = 1) =>
  new DynamicEntity('Smith', name, { n: EntityProperty.int32(n) })

const nOf = (entity: DynamicEntity | undefined) => entity?.get('n')?.value

describe('a table with exact writes', () => {
  it('applies every write once, and the objects know their rows', async () => {
    const { table, lose } = await exactTable()
    const jeff = person('Jeff')
    lose()
    await table.insert(jeff)
    jeff.set('n', 2)
    lose()
    await table.replace(jeff)
    lose()
    await table.modify(['Smith', 'Jeff'], (stored) => {
      stored.set('n', Number(nOf(stored)) + 1)
    })
    lose()
    await table.batch().insert(person('Anna')).insertOrReplace(person('Ben')).submit()
    lose()
    expect(await table.deleteIfExists(['Smith', 'Ben'], { etag: '*' })).toBe(true)
    expect(nOf(await table.find(['Smith', 'Jeff']))).toBe(3)
    expect(await table.find(['Smith', 'Ben'])).toBeUndefined()
    await table.merge(await table.get(['Smith', 'Anna']))
  })

  it('removes the ETag from an object after a merge that a marker proves', async () => {
    const { table, lose } = await exactTable()
    const jeff = await table.insert(person('Jeff'))
    jeff.set('n', 2)
    lose()
    await table.merge(jeff)
    jeff.set('n', 3)
    await expect(table.merge(jeff)).rejects.toMatchObject({ code: 'MissingETag' })
    expect(await table.reload(jeff)).toBe(true)
    expect(nOf(jeff)).toBe(2)
  })

  it('shows no marker in any query', async () => {
    const { table } = await exactTable()
    for (let n = 0; n < 12; n++) await table.insert(person(`row ${n}`))
    const smiths = table.query().where({ partitionKey: 'Smith' })
    expect(await smiths.toArray()).toHaveLength(12)
    expect(await smiths.select('rowKey').toArray()).toHaveLength(12)
    expect(await smiths.take(5).toArray()).toHaveLength(5)
    const all = table.query().allowTableScan()
    let rows = 0
    for await (const page of all.byPage({})) rows += page.items.length
    expect(rows).toBe(12)
  })

  it('writes 99 operations of a partition in one transaction of bulk', async () => {
    const { table, requests } = await exactTable()
    const writer = table.bulk({ concurrency: 1 })
    const { done } = await writer.insert(Array.from({ length: 250 }, (_, n) => person(`row ${n}`)))
    expect(done).toBe(250)
    expect(requests.filter(({ path }) => path.endsWith('$batch'))).toHaveLength(3)
  })

  it('knows no value of a merge whose idempotencyKey an earlier call had used for another', async () => {
    const { table } = await exactTable()
    await table.insert(person('Ann'))
    const key = ['Smith', 'Ann'] as const
    for (const n of [2, 3]) {
      const ann = (await table.get(key)).set('n', n)
      await table.merge(ann, { idempotencyKey: 'rename' })
      if (n === 3) await expect(table.merge(ann)).rejects.toMatchObject({ code: 'MissingETag' })
    }
    expect((await table.get(key)).get('n')?.value).toBe(2)
  })

  it('repeats a modify that inserted, and returns what is stored', async () => {
    const { table } = await exactTable({ exactWrites: false })
    const count = (orInsert?: DynamicEntity) =>
      table.modify(
        ['Smith', 'Eve'],
        (eve) => {
          eve.set('n', 9)
        },
        { orInsert, idempotencyKey: 'once' },
      )
    await count(person('Eve', 1))
    expect((await count(person('Eve', 1))).get('n')?.value).toBe(1)
    await table.delete(['Smith', 'Eve'], { etag: '*' })
    await expect(count(person('Eve', 1))).rejects.toThrow(EntityNotFoundError)
    await table.insert(person('Eve', 2))
    expect((await count()).get('n')?.value).toBe(2)
  })

  it('repeats a write by its idempotencyKey, and sweeps the marker by its age', async () => {
    const { table, pass } = await exactTable({ exactWrites: false })
    const options = { idempotencyKey: 'order-7' }
    await table.insert(person('Jeff'), options)
    await table.insert(person('Jeff'), options)
    expect(await table.sweepMarkers()).toBe(0)
    pass(25 * HOUR)
    expect(await table.sweepMarkers()).toBe(1)
    await expect(table.insert(person('Jeff'), options)).rejects.toMatchObject({
      code: 'EntityAlreadyExists',
    })
  })

  it('does not count markers', async () => {
    const { table, lose, requests } = await exactTable()
    for (const name of ['Ann', 'Ben', 'Cat']) {
      lose()
      await table.insert(person(name))
    }
    await table.insert(person('Dan'), { idempotencyKey: 'dan' })
    requests.length = 0
    const smiths = table.query().where({ PartitionKey: 'Smith' })
    expect(await smiths.count()).toBe(4)
    expect(await smiths.pageSize(1).count()).toBe(4)
    expect(await smiths.take(3).count()).toBe(3)
    for (const { query } of requests) expect(query).toContain('$select=PartitionKey%2CRowKey')
  })

  it('recognizes markers in a count by the option of the call', async () => {
    const { table, requests } = await exactTable({ exactWrites: false })
    await table.insert(person('Dan'), { idempotencyKey: 'dan' })
    const smiths = table.query().where({ PartitionKey: 'Smith' })
    requests.length = 0
    expect(await smiths.count({ exactWrites: true })).toBe(1)
    expect(requests.at(-1)?.query).toContain('$select=PartitionKey%2CRowKey')
    await smiths.count()
    expect(requests.at(-1)?.query).toMatch(/\$select=PartitionKey$/)
  })
})

describe('an idempotency key', () => {
  /** People whose second version has another name for a property. */
  async function people() {
    const { table } = await exactTable()
    const place = { name: 'people', partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
    const text = { team: z.string(), id: z.string(), note: z.string().optional() }
    const First = defineEntity({ ...place, schema: z.object({ ...text, name: z.string() }) })
    const Second = defineEntity({
      ...place,
      schema: z.object({ ...text, fullName: z.string() }),
      version: 2,
      previous: First,
      migrate: ({ name, ...rest }) => ({ ...rest, fullName: name }),
    })
    const account = new Account(table.parts.service)
    await account.table(First).insert({ team: 'red', id: '1', name: 'Ann', note: 'new' })
    return account.table(Second)
  }

  it('knows a merge again that upgraded the row', async () => {
    const second = await people()
    for (let n = 0; n < 2; n++) {
      const ann = await second.get(['red', '1'])
      ann.fullName = `Ann ${n}`
      await second.merge(ann, { idempotencyKey: 'rename' })
    }
    expect(await second.get(['red', '1'])).toMatchObject({ fullName: 'Ann 0' })
  })

  it('knows a modification again that removed a value', async () => {
    const second = await people()
    for (let n = 0; n < 2; n++) {
      const change = (ann: { note?: string | undefined; fullName: string }) => {
        ann.note = undefined
        ann.fullName = `Ann ${n}`
      }
      await second.modify(['red', '1'], change, { idempotencyKey: 'clean' })
    }
    expect(await second.get(['red', '1'])).toMatchObject({ fullName: 'Ann 0' })
  })

  it('makes a repeated modify return what is stored, and not its own change', async () => {
    const { table, requests } = await exactTable()
    await table.insert(person('Jeff'))
    const rename = (n: number, idempotencyKey: string) =>
      table.modify(['Smith', 'Jeff'], (jeff) => void jeff.set('n', EntityProperty.int32(n)), {
        idempotencyKey,
      })
    requests.length = 0
    expect(nOf(await rename(2, 'once'))).toBe(2)
    expect(requests).toHaveLength(2)
    expect(nOf(await rename(3, 'once'))).toBe(2)
    await rename(4, 'later')
    const repeated = await rename(5, 'once')
    expect(nOf(repeated)).toBe(4)
    await table.merge(repeated.set('n', EntityProperty.int32(6)))
    expect(nOf(await table.find(['Smith', 'Jeff']))).toBe(6)
  })

  it('says of a modify whose last read fails that it may have been applied', async () => {
    const { table, requests, lose } = await exactTable({ exactWrites: false, retry: noRetry })
    await table.insert(person('Jeff'))
    const rename = (n: number) =>
      table.modify(['Smith', 'Jeff'], (jeff) => void jeff.set('n', n), { idempotencyKey: 'once' })
    await rename(2)
    requests.length = 0
    await rename(3)
    lose(requests.length)
    await expect(rename(4)).rejects.toMatchObject({
      name: 'TransportError',
      mayHaveApplied: true,
    })
  })
})
