import * as official from '@azure/data-tables'
import * as ours from '@rowkey/data-tables'
import { startLocalService } from '@rowkey/local'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataTables, Face } from './data-tables-face.ts'
import { collect, seen } from './seen.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

type Client = Face<official.TableClient>

/** One step of a program, and its text for the report of a failure. */
interface Step {
  readonly text: string
  readonly run: (client: Client, tables: DataTables) => Promise<unknown>
}

const named = (text: string, run: Step['run']): Step => ({ text, run })

interface Row extends Record<string, unknown> {
  readonly partitionKey: string
  readonly rowKey: string
}

const partitionKey = fc.constantFrom('a', "o'x", 'é')
const rowKey = fc.constantFrom('1', '10', '2', 'x y')
const key = fc.tuple(partitionKey, rowKey)
const mode = fc.constantFrom<(official.UpdateMode | undefined)[]>('Merge', 'Replace', undefined)
const size = fc.integer({ min: 1, max: 3 })
const isTyped = fc.boolean()

/** Values that both packages store alike: docs/migrating.md lists the others. */
const value = fc.constantFrom<unknown[]>(
  ...[0, -5, 1.5, 7n, 'text', '', true, undefined, null],
  ...[new Date(1e12), Uint8Array.of(1, 2), { type: 'Int64', value: '12' }],
  ...[
    { type: 'Double', value: 2.5 },
    { type: 'DateTime', value: '2020-01-01T00:00:00.123Z' },
  ],
  { type: 'Guid', value: 'c9da6455-213d-42c9-9a79-3e9149a57833' },
)
const values = fc.dictionary(fc.constantFrom('A', 'b', 'c_1'), value)
const entityOf = (at: fc.Arbitrary<readonly [string, string]>): fc.Arbitrary<Row> =>
  fc.tuple(at, values).map(([[partition, row], members]) => ({
    ...members,
    partitionKey: partition,
    rowKey: row,
  }))
const entity = entityOf(key)

const filter = fc.constantFrom<((odata: DataTables['odata']) => string)[]>(
  (odata) => odata`PartitionKey eq ${"o'x"}`,
  (odata) => odata`PartitionKey eq 'a' and RowKey ge ${'10'}`,
  (odata) => odata`b eq ${'text'} or A eq ${true}`,
  (odata) => odata`not (A eq ${0})`,
  (odata) => odata`b ge ${new Date(0)}`,
  () => "A eq guid'c9da6455-213d-42c9-9a79-3e9149a57833'",
  () => 'RowKey lt',
)

/** A change of the partition `a`. */
const changed = entityOf(fc.tuple(fc.constant('a'), rowKey))
const action: fc.Arbitrary<official.TransactionAction> = fc.oneof(
  fc.tuple(fc.constantFrom('create' as const, 'delete' as const), changed),
  fc.tuple(
    fc.constantFrom('update' as const, 'upsert' as const),
    changed,
    fc.constantFrom('Merge' as const, 'Replace' as const),
  ),
)

const STALE = `W/"datetime'2020-01-01T00%3A00%3A00.0000000Z'"`

const step = fc.oneof(
  entity.map((row) => named('create', (client) => client.createEntity(row))),
  fc
    .tuple(entity, mode)
    .map(([row, how]) => named(`upsert ${how}`, (client) => client.upsertEntity(row, how))),
  fc
    .tuple(entity, mode)
    .map(([row, how]) => named(`update ${how}`, (client) => client.updateEntity(row, how))),
  fc.tuple(key, mode, fc.boolean()).map(([[partition, row], how, isStale]) =>
    named(`read and update ${how}${isStale ? ', stale' : ''}`, async (client) => {
      const { etag, ...read } = await client.getEntity(partition, row)
      const next = { ...read, partitionKey: partition, rowKey: row, A: 9 }
      return client.updateEntity(next, how, { etag: isStale ? STALE : etag })
    }),
  ),
  key.map((at) => named('delete', (client) => client.deleteEntity(...at))),
  fc
    .tuple(key, isTyped)
    .map(([at, disableTypeConversion]) =>
      named('get', (client) => client.getEntity(...at, { disableTypeConversion })),
    ),
  fc.tuple(filter, isTyped).map(([toFilter, disableTypeConversion]) =>
    named('list', (client, { odata }) => {
      const queryOptions = { filter: toFilter(odata), select: ['rowKey', 'A', 'b'] }
      return collect(client.listEntities({ queryOptions, disableTypeConversion }))
    }),
  ),
  size.map((maxPageSize) =>
    named('pages, resumed', async (client) => {
      const { value: page } = await client.listEntities().byPage({ maxPageSize }).next()
      const { continuationToken } = page
      const rest = client.listEntities().byPage({ maxPageSize, continuationToken })
      return [page, continuationToken && (await collect(rest))]
    }),
  ),
  size.map((count) =>
    named('a loop that ends early', async (client) => {
      const items = client.listEntities()
      const rows: unknown[] = []
      for await (const row of items) if (rows.push(row) === count) break
      return [rows, await items.next()]
    }),
  ),
  fc.array(action, { minLength: 1, maxLength: 4 }).map((actions) =>
    named(`transaction ${actions.map(([kind]) => kind)}`, async (client) => {
      const { status, subResponses } = await client.submitTransaction(actions)
      return [status, subResponses.map((one) => [one.status, typeof one.etag])]
    }),
  ),
)

const packages: Readonly<Record<'official' | 'ours', DataTables>> = { official, ours }
const services: readonly (readonly [name: string, start: () => Promise<Service>, runs: number])[] =
  [
    ['@rowkey/local', () => startLocalService({ port: 0 }), 60],
    ['Azurite', startAzurite, 20],
  ]

describe.each(services)('a random program on %s', (_name, start, numRuns) => {
  let service: Service
  let count = 0
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.close())

  const play = async (tables: DataTables, steps: readonly Step[]): Promise<unknown[]> => {
    const name = `history${++count}`
    const client = tables.TableClient.fromConnectionString(service.connectionString, name, {
      allowInsecureConnection: true,
    })
    await client.createTable()
    const results: unknown[] = []
    for (const { text, run } of steps) results.push([text, await seen(() => run(client, tables))])
    results.push(await seen(() => collect(client.listEntities({ disableTypeConversion: true }))))
    await client.deleteTable()
    return results
  }

  it('sees the same after its import changed', async () => {
    const history = fc.array(step, { minLength: 5, maxLength: 30 })
    const property = fc.asyncProperty(history, async (steps) => {
      expect(await play(packages.ours, steps)).toEqual(await play(packages.official, steps))
    })
    await fc.assert(property, { numRuns })
  })
})
