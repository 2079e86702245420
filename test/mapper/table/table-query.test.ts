import { localTableService } from '@rowkey/local'
import { Account, Entity, modelOf, PartitionKey, Property, RowKey } from '@rowkey/mapper'
import {
  DynamicEntity,
  type EdmType,
  EntityProperty,
  parseFilter,
  type RawEntity,
} from '@rowkey/odata'
import { missing, notMissing } from '@rowkey/query'
import { noRetry, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { entitySource } from '../../../packages/mapper/src/rows/entity-source.ts'
import { modelParts } from '../../../packages/mapper/src/rows/table-parts.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { Customer, customer } from '../customer.ts'
import { freshTable } from '../fresh-account.ts'
import { plain } from '../plain-snapshot.ts'

async function threeSmiths() {
  const fresh = await freshTable(Customer)
  for (const name of ['Ann', 'Ben', 'Cat']) await fresh.table.insert(customer('Smith', name))
  const parts = modelParts(fresh.service, modelOf(Customer), {})
  return { ...fresh, origin: parts.origin, source: entitySource(parts) }
}

describe('entitySource', () => {
  it('fetches one page, and the next by its token', async () => {
    const { source } = await threeSmiths()
    const first = await source.fetchPage({ top: 2 }, { projected: false }, {})
    expect(first.items.map(({ RowKey }) => RowKey)).toEqual(['Ann', 'Ben'])
    const { continuationToken } = first
    expect(continuationToken).toBeTypeOf('string')
    const at = { projected: false, continuationToken: continuationToken as string }
    const second = await source.fetchPage({ top: 2 }, at, {})
    expect(second.items.map(({ RowKey }) => RowKey)).toEqual(['Cat'])
    expect(second.continuationToken).toBeUndefined()
  })

  it('goes on only with the query whose page it was, whatever the page size', async () => {
    const { source } = await threeSmiths()
    const query = { filter: "PartitionKey eq 'Smith'" }
    const first = await source.fetchPage({ ...query, top: 1 }, { projected: false }, {})
    const at = { projected: false, continuationToken: first.continuationToken as string }
    const rest = await source.fetchPage({ ...query, top: 7 }, at, {})
    expect(rest.items.map(({ RowKey }) => RowKey)).toEqual(['Ben', 'Cat'])
    const other = { filter: "PartitionKey ge 'Smith'" }
    await expect(source.fetchPage(other, at, {})).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidContinuationToken' }),
    )
  })

  it('lets entities know their rows, and whether these are projections', async () => {
    const { source, origin } = await threeSmiths()
    const { items } = await source.fetchPage({}, { projected: false }, {})
    const raw = items[0] as RawEntity
    for (const projected of [true, false]) {
      const entity = source.readRow(raw, { projected })
      expect(plain(snapshotOf(entity))).toMatchObject({ origin, row: raw, partial: projected })
    }
  })

  it('finds one row by its key, with the same members as in a page', async () => {
    const { source } = await threeSmiths()
    const [onPage] = (await source.fetchPage({}, { projected: false }, {})).items
    const found = await source.findRow({ partitionKey: 'Smith', rowKey: 'Ann' }, {}, {})
    expect(source.readRow(found as RawEntity, { projected: false }).etag).toBe(
      source.readRow(onPage as RawEntity, { projected: false }).etag,
    )
    const zoe = { partitionKey: 'Smith', rowKey: 'Zoe' }
    expect(await source.findRow(zoe, {}, {})).toBeUndefined()
  })

  it('reads only selected properties of a row found by its key', async () => {
    const { source, sent } = await threeSmiths()
    await source.findRow({ partitionKey: 'Smith', rowKey: 'Ann' }, { select: ['age'] }, {})
    expect(sent.at(-1)?.query).toBe('$select=age')
  })

  it('returns the key and the typed properties of a row', async () => {
    const { source } = await threeSmiths()
    const raw = { PartitionKey: 'Smith', RowKey: 'Ann', n: '5', 'n@odata.type': 'Edm.Int64' }
    expect(source.keyOf(raw)).toEqual({ partitionKey: 'Smith', rowKey: 'Ann' })
    expect(source.keyOf({})).toEqual({ partitionKey: '', rowKey: '' })
    expect(source.entityOf(raw).get('n')?.as('Int64')).toBe(5n)
  })

  it('shares one deadline between the pages of one run', async () => {
    const { service, source } = await threeSmiths()
    const { deadline } = source.beginRun?.({ deadline: 5000 }) ?? {}
    expect(deadline).toMatchObject({ endsAt: expect.any(Number) })
    const late = { deadline: { endsAt: service.now() } }
    expect(source.beginRun?.(late)?.deadline).toMatchObject(late.deadline)
    await expect(source.fetchPage({}, { projected: false }, late)).rejects.toMatchObject({
      code: 'DeadlineExceeded',
    })
  })

  it('rejects an invalid token and unknown options', async () => {
    const { source, sent } = await threeSmiths()
    sent.length = 0
    const bad = { projected: false, continuationToken: 'x!' }
    await expect(source.fetchPage({}, bad, {})).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidContinuationToken' }),
    )
    const misspelt = { timeuot: 5 } as object
    expect(() => source.beginRun?.(misspelt)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(sent).toEqual([])
  })
})

describe('a query for missing properties', () => {
  /** A row with a value of each type, and the same row without one of them. */
  const values = {
    binary: Uint8Array.of(1),
    boolean: false,
    dateTime: new Date('1601-01-01T00:00:00Z'),
    double: Number.NaN,
    guid: EntityProperty.guid('00000000-0000-0000-0000-000000000000'),
    int32: 0,
    int64: 0n,
    string: '',
  }
  const types: Readonly<Record<keyof typeof values, EdmType>> = {
    binary: 'Binary',
    boolean: 'Boolean',
    dateTime: 'DateTime',
    double: 'Double',
    guid: 'Guid',
    int32: 'Int32',
    int64: 'Int64',
    string: 'String',
  }

  @Entity('rows')
  class Row {
    @PartitionKey() p = ''
    @RowKey() r = ''
    @Property('Binary') binary?: Uint8Array
    @Property('Boolean') boolean?: boolean
    @Property('DateTime') dateTime?: Date
    @Property('Double') double?: number
    @Property('Guid') guid?: string
    @Property('Int32') int32?: number
    @Property('Int64') int64?: bigint
    @Property('String') string?: string
  }

  async function rows(flavour?: 'cosmos') {
    const { transport, connectionString } = localTableService({ flavour })
    const account = new Account(
      tableService({ connectionString: connectionString(), transport, flavour, retry: noRetry }),
    )
    const untyped = account.table('rows')
    await untyped.create()
    const names = Object.keys(values) as (keyof typeof values)[]
    for (const name of names) {
      const { [name]: _, ...others } = values
      await untyped.insert(new DynamicEntity('p', name, others))
    }
    return { names, query: () => account.table(Row).query().where({ p: 'p' }) }
  }

  it.each(Object.keys(types) as (keyof typeof types)[])(
    'finds the row without a %s',
    async (name) => {
      const { names, query } = await rows()
      const others = names.filter((each) => each !== name)
      const ids = async (found: Promise<Row[]>) => (await found).map(({ r }) => r)
      expect(
        await ids(
          query()
            .where({ [name]: missing })
            .toArray(),
        ),
      ).toEqual([name])
      expect(
        await ids(
          query()
            .where((row) => row[name].isMissing())
            .toArray(),
        ),
      ).toEqual([name])
      expect(
        await ids(
          query()
            .filterLocally({ [name]: missing })
            .toArray(),
        ),
      ).toEqual([name])
      expect(
        await ids(
          query()
            .where({ [name]: notMissing })
            .toArray(),
        ),
      ).toEqual(others)
      expect(
        await ids(
          query()
            .where((row) => row[name].isSet())
            .toArray(),
        ),
      ).toEqual(others)
    },
  )

  it('rejects missing on Cosmos DB, which cannot select it, and finds what is stored', async () => {
    const { query } = await rows('cosmos')
    expect(() => query().where({ string: missing })).toThrow(
      expect.objectContaining({ code: 'InvalidQuery' }),
    )
    expect(() => query().where({ string: missing })).toThrow(/filterLocally/)
    expect(await query().filterLocally({ string: missing }).count()).toBe(1)
    expect(await query().where({ string: notMissing }).count()).toBe(7)
  })
})

describe('a query on a property that some rows store as another type', () => {
  it('finds only rows with the declared type, though the service counts others as less', async () => {
    const { table, account } = await freshTable(Customer)
    const rows = account.table('customers')
    const stored = {
      int32: EntityProperty.int32(5),
      text: EntityProperty.string('5'),
      true: EntityProperty.boolean(true),
    }
    for (const [name, points] of Object.entries(stored)) {
      await rows.insert(new DynamicEntity('Smith', name, { points }))
    }
    await table.insert(customer('Smith', 'int64', { points: 5n }))
    await table.insert(customer('Smith', 'none'))
    const untyped = (text: string) => rows.query().where(parseFilter(text)!).allowTableScan()
    expect(await untyped('points lt 100L').count()).toBe(4)
    const names = async (condition: Parameters<ReturnType<typeof table.query>['where']>[0]) =>
      (
        await table
          .query()
          .where({ lastName: 'Smith' })
          .where(condition)

          .toArray()
      )
        .map(({ firstName }) => firstName)
        .sort()
    expect(await names((c) => c.points.lt(100n))).toEqual(['int64'])
    expect(await names((c) => c.points.le(100n))).toEqual(['int64'])
    expect(await names((c) => c.points.ne(6n))).toEqual(['int64'])
    expect(await names((c) => c.points.lt(5n))).toEqual([])
  })
})
