import Entity, { type ScanResult } from '@rowkey/azure-entities'
import { beforeAll, describe, expect, it } from 'vitest'
import { embeddedTables } from '../tables.ts'

const { op, types } = Entity
const Item = Entity.configure({
  version: 1,
  partitionKey: Entity.keys.StringKey('id'),
  rowKey: Entity.keys.StringKey('name'),
  properties: {
    id: types.String,
    name: types.String,
    count: types.Number,
    time: types.Date,
    active: types.Boolean,
    slug: types.SlugId,
    text: types.Text,
  },
})
const { local, service } = embeddedTables()
const Items = Item.setup({ tableName: 'items', service })

const slugs = ['NgmMmc_oQZ-dC4nPzWI1Ug', 'nvItOmAyRiOvSSWCAHkobQ']
const row = (id: string, index: number) => ({
  id,
  name: `item${index}`,
  count: index === 3 ? 2 ** 40 : index,
  time: new Date(index * 1_000),
  active: index !== 2,
  slug: slugs[index % 2] ?? '',
  text: 'x',
})

beforeAll(async () => {
  await Items.ensureTable()
  for (const id of ['a', "b'~%"]) {
    for (const index of [1, 2, 3]) await Items.create(row(id, index))
  }
})

const names = ({ entries }: { readonly entries: readonly { readonly name: string }[] }) =>
  entries.map(({ name }) => name)
const lastFilter = () => new URLSearchParams(local.requests.entries().at(-1)?.query).get('$filter')

describe('query', () => {
  it('R-145: reads one partition and returns entities', async () => {
    const { entries, continuation } = await Items.query({ id: 'a' })
    expect(names({ entries })).toEqual(['item1', 'item2', 'item3'])
    expect(entries[0]).toBeInstanceOf(Items)
    expect(continuation).toBeNull()
  })

  it('R-145: needs the properties of the PartitionKey, equal to a value', async () => {
    const missing = { code: 'MissingKeyProperty' }
    await expect(Items.query({ name: 'item1' })).rejects.toMatchObject(missing)
    await expect(Items.query({ id: op.lessThan('b') })).rejects.toMatchObject(missing)
    await expect(Items.query({ id: 'a' }, { matchRow: 'exact' })).rejects.toMatchObject(missing)
  })

  it('R-143: reads one row with matchRow', async () => {
    const page = await Items.query({ id: op.equal("b'~%"), name: 'item2' }, { matchRow: 'exact' })
    expect(names(page)).toEqual(['item2'])
  })
})

describe('conditions', () => {
  it.each([
    [{ count: 2 }, ['item2']],
    [{ count: op.equal(2 ** 40) }, ['item3']],
    [{ count: op.notEqual(2) }, ['item1', 'item3']],
    [{ count: op.lessThan(2) }, ['item1']],
    [{ count: op['<='](2) }, ['item1', 'item2']],
    [{ count: op.gt(2) }, ['item3']],
    [{ count: op.greaterThanOrEqual(2) }, ['item2', 'item3']],
    [{ time: new Date(2_000) }, ['item2']],
    [{ time: op.lessThanOrEqual(new Date(2_000)) }, ['item1', 'item2']],
    [{ active: false }, ['item2']],
    [{ slug: 'nvItOmAyRiOvSSWCAHkobQ' }, ['item1', 'item3']],
    [{ count: op.greaterThan(1), active: true }, ['item3']],
  ])('R-142: %o', async (conditions, expected) => {
    expect(names(await Items.query({ id: 'a', ...conditions }))).toEqual(expected)
  })

  it.each([
    [{ nothing: 1 }, /not declared/],
    [{ text: 'x' }, /cannot be compared/],
    [{ active: op.lessThan(true) }, /has no order/],
    [{ count: undefined }, /a finite number/],
    [{ count: 'two' }, /a finite number/],
  ])('R-142: reject %o', async (conditions, message) => {
    await expect(Items.scan(conditions as object)).rejects.toThrow(message)
  })

  it('R-142: are recognized with instanceof, as in that library', () => {
    expect([op.lt(5) instanceof op, op['=='](5) instanceof op]).toEqual([true, true])
    expect([[5] instanceof op, {} instanceof op]).toEqual([false, false])
  })

  it('R-140: are sent in their order, without those that an exact key covers', async () => {
    await Items.scan({ active: true, id: 'a', count: op.lt(5) })
    const all = "active eq true and id eq 'a' and count lt 5"
    const keyed = "PartitionKey eq 'a' and active eq true and count lt 5"
    const sent = lastFilter()
    await Items.query({ active: true, id: 'a', count: op.lt(5) })
    expect([sent, lastFilter()]).toEqual([all, keyed])
  })
})

describe('scan', () => {
  it('R-140: reads the whole table', async () => {
    expect((await Items.scan()).entries).toHaveLength(6)
    const options = { matchPartition: 'none', handler: null } as const
    expect((await Items.scan(null, options)).entries).toHaveLength(6)
  })

  it('R-144: continues with a token that the public pattern matches', async () => {
    const seen: string[] = []
    let continuation: string | null = null
    let pages = 0
    do {
      const page: ScanResult<InstanceType<typeof Items>> = await Items.scan(
        {},
        { limit: 2, continuation },
      )
      seen.push(...page.entries.map(({ id, name }) => `${id} ${name}`))
      continuation = page.continuation
      if (continuation !== null) expect(continuation).toMatch(Entity.continuationTokenPattern)
      pages += 1
    } while (continuation !== null)
    expect(pages).toBeGreaterThanOrEqual(3)
    expect(new Set(seen).size).toBe(6)
  })

  it.each<unknown>([7, true, 'x', []])('rejects the conditions %j', async (conditions) => {
    await expect(Items.scan(conditions as object)).rejects.toMatchObject({
      code: 'InvalidCondition',
    })
  })

  it.each(['x', 'a~b~c', '%zz~', 'a b~'])('R-144: rejects the token %j', async (continuation) => {
    await expect(Items.scan({}, { continuation })).rejects.toMatchObject({
      code: 'InvalidContinuationToken',
    })
  })

  it.each([{ matchPartition: 'some' }, { matchRow: 'partial' }, { limit: 1.5 }, { handler: 5 }])(
    'rejects the options %o',
    async (options) => {
      await expect(Items.scan({}, options as object)).rejects.toMatchObject({
        code: 'InvalidScanOption',
      })
    },
  )
})

describe('a handler', () => {
  it('R-141: receives every entity, as many at once as the limit says', async () => {
    let running = 0
    let most = 0
    const seen: string[] = []
    const result = await Items.scan(
      {},
      {
        limit: 2,
        handler: async ({ name }) => {
          running += 1
          most = Math.max(most, running)
          await Promise.resolve()
          seen.push(name)
          running -= 1
        },
      },
    )
    expect(result).toBeUndefined()
    expect([seen.length, running]).toEqual([6, 0])
    expect(most).toBe(2)
  })

  it('R-141: ends the scan after all calls for a page have ended, also when one fails', async () => {
    let calls = 0
    let ended = 0
    const handler = async () => {
      calls += 1
      if (calls === 1) throw new RangeError('enough')
      await new Promise(setImmediate)
      ended += 1
    }
    await expect(Items.scan({}, { handler })).rejects.toThrow(RangeError)
    expect([calls, ended]).toEqual([6, 5])
  })

  it('R-141: ends the scan with its error', async () => {
    const handler = () => Promise.reject(new RangeError('enough'))
    await expect(Items.query({ id: 'a' }, { handler })).rejects.toThrow(RangeError)
  })
})
