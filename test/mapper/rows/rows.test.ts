import { localTableService } from '@rowkey/local'
import { Account, defineEntity, keepRows, key, lifetime, Operation, union } from '@rowkey/mapper'
import { DynamicEntity, type EdmValue } from '@rowkey/odata'
import { anyOf, type QueryPlan } from '@rowkey/query'
import { type HttpRequest, noRetry, tableService } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomSteps } from '../../support/random-steps.ts'

const START = Date.parse('2026-11-22T09:00:00Z')
const HOUR = 3_600_000

const keys = { partitionKey: key`${'tenant'};${'day'}`, rowKey: key`${'id'}` }
const noteSchema = z.object({
  tenant: z.string(),
  day: z.string(),
  id: z.string(),
  n: z.int32(),
  expiresOn: z.date().optional(),
  deletedOn: z.date().optional(),
})
const times = { expiresAt: 'expiresOn', deletedAt: 'deletedOn' } as const

const NoteV1 = defineEntity({
  ...keys,
  name: 'notes',
  schema: noteSchema,
  lifetime: lifetime(times),
  discriminator: { Kind: 'note' },
})

/** A model with all rules: a type, an earlier version, a lifetime, and rows beside its entities. */
const defineNote = () => {
  const Note = defineEntity({
    ...keys,
    name: 'notes',
    schema: noteSchema.extend({ label: z.string() }),
    lifetime: lifetime(times),
    discriminator: { Kind: 'note' },
    version: 2,
    previous: NoteV1,
    migrate: (note) => ({ ...note, label: `v1 ${note.n}` }),
  })
  keepRows(Note, { touches: () => false, plan: async () => ({ companions: [], rejected }) })
  return Note
}
const rejected = async (_: number, error: Error) => error

/** The same rows without a lifetime, as one type of a union. */
const Plain = defineEntity({
  ...keys,
  name: 'notes',
  schema: noteSchema.extend({ label: z.string().default('none') }),
  discriminator: { Kind: 'note' },
})
const Task = defineEntity({
  ...keys,
  name: 'notes',
  schema: z.object({ tenant: z.string(), day: z.string(), id: z.string(), n: z.int32() }),
  discriminator: { Kind: 'task' },
})

/** A row as it is stored. */
interface Stored {
  readonly tenant: string
  readonly day: string
  readonly id: string
  readonly kind: 'v1' | 'v2' | 'task' | 'kept'
  readonly n: number
  readonly expires?: number | undefined
  readonly deleted?: number | undefined
}

const stored: fc.Arbitrary<Stored> = fc.record({
  tenant: fc.constantFrom('acme', 'acme2', 'bolt'),
  day: fc.constantFrom('d1', 'd2'),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  kind: fc.constantFrom('v1', 'v2', 'v2', 'task', 'kept'),
  n: fc.integer({ min: 0, max: 3 }),
  expires: fc.option(fc.integer({ min: -2, max: 2 }), { nil: undefined }),
  deleted: fc.option(fc.constant(-1), { nil: undefined, freq: 4 }),
})

const partitionOf = ({ tenant, day }: Pick<Stored, 'tenant' | 'day'>) => `${tenant};${day}`
const rowKeyOf = ({ kind, id }: Pick<Stored, 'kind' | 'id'>) => (kind === 'kept' ? `~rk~${id}` : id)

function rowOf(row: Stored): DynamicEntity {
  const { kind, n, expires, deleted } = row
  const time = (hours: number) => new Date(START + hours * HOUR)
  const properties: Record<string, EdmValue> = { n, Kind: kind === 'task' ? 'task' : 'note' }
  if (kind === 'v2') Object.assign(properties, { Version: 2, label: `v2 ${n}` })
  if (expires !== undefined) properties.expiresOn = time(expires)
  if (deleted !== undefined) properties.deletedOn = time(deleted)
  return new DynamicEntity(partitionOf(row), rowKeyOf(row), properties)
}

/** Rows of several tenants in a table of its own, on either kind of account. */
async function tableWith(rows: readonly Stored[], flavour: 'storage' | 'cosmos') {
  const clock = { now: START }
  const { transport, connectionString } = localTableService({ flavour, now: () => clock.now })
  const sent: HttpRequest[] = []
  const service = tableService({
    connectionString: connectionString(),
    transport: (request, limits) => {
      sent.push(request)
      return transport(request, limits)
    },
    flavour,
    retry: noRetry,
    sleep: async () => {},
    now: () => clock.now,
  })
  const account = new Account(service)
  const raw = account.table('notes')
  await raw.create()
  const byKey = new Map(rows.map((row) => [`${partitionOf(row)} ${rowKeyOf(row)}`, row]))
  for (const row of byKey.values()) await raw.insert(rowOf(row))
  const all = [...byKey.entries()].sort(([one], [other]) => (one < other ? -1 : 1))
  return { account, clock, sent, rows: all.map(([, row]) => row) }
}

const isLive = (now: number) => (row: Stored) =>
  row.deleted === undefined && (row.expires === undefined || START + row.expires * HOUR > now)

const shown = ({ tenant, day, id, kind, n }: Stored) => ({
  tenant,
  day,
  id,
  n,
  label: kind === 'v1' ? `v1 ${n}` : `v2 ${n}`,
})

const inOrder = <Row extends { day: string; id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => (`${one.day} ${one.id}` < `${other.day} ${other.id}` ? -1 : 1))

/** What a request reads: a row by its key, or the rows of a filter. */
const textOf = ({ path, query }: HttpRequest): string =>
  `${decodeURIComponent(path)} ${new URLSearchParams(query).get('$filter')}`

/** What a plan promises to read. The rules of the table may add conditions. */
function partsOf({ queries, pointReads, filter = '' }: Partial<QueryPlan>): string[] {
  if (queries !== undefined) return queries.flatMap(partsOf)
  const keys = pointReads?.map(
    ({ partitionKey, rowKey }) => `PartitionKey='${partitionKey}',RowKey='${rowKey}'`,
  )
  return keys ?? [filter]
}

async function codeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    const { name, code } = error as { name: string; code: string }
    return `${name} ${code}`
  }
}

describe.each(['storage', 'cosmos'] as const)('the rows of a table on %s', (flavour) => {
  it('are the same by every way to read them', async () => {
    const Note = defineNote()
    await fc.assert(
      fc.asyncProperty(
        fc.array(stored, { maxLength: 24 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        async (given, hours, size) => {
          const { account, clock, sent, rows } = await tableWith(given, flavour)
          clock.now = START + hours * HOUR
          const acme = account.table(Note).within({ tenant: 'acme' })
          const live = isLive(clock.now)
          const notes = rows.filter(
            (row) => row.tenant === 'acme' && row.kind.startsWith('v') && live(row),
          )
          const expected = notes.map(shown)
          const query = () => acme.query().allowPartitionScan().allowTableScan()
          expect(inOrder(await query().toArray())).toMatchObject(expected)
          expect(await query().count()).toBe(expected.length)
          expect(await query().where({ n: 1 }).count()).toBe(
            notes.filter(({ n }) => n === 1).length,
          )
          expect(await query().pageSize(size).toArray()).toHaveLength(expected.length)

          const paged: object[] = []
          let token: string | undefined
          do {
            const page = await query().page({ size, token })
            paged.push(...page.items)
            token = page.next
            clock.now += 1
          } while (token !== undefined)
          expect(paged).toHaveLength(expected.length)

          const byToken: object[] = []
          let continuationToken: string | undefined
          do {
            const pages = query().pageSize(size).byPage({ continuationToken })
            const { value, done } = await pages.next()
            if (done) break
            byToken.push(...value.items)
            continuationToken = value.continuationToken
            clock.now += 1
          } while (continuationToken !== undefined)
          expect(inOrder(byToken as typeof expected)).toMatchObject(expected)

          const ids = ['a', 'b', 'c', 'd', 'e']
          const points = query().where({ day: 'd1', id: anyOf(ids) })
          const ofDay = expected.filter(({ day }) => day === 'd1')
          expect(inOrder(await points.toArray())).toMatchObject(ofDay)
          const parallel = query().inPartitions(['acme;d1', 'acme;d2'])
          expect(inOrder(await parallel.toArray())).toMatchObject(expected)

          const selected = await codeOf(() => query().select('n').toArray())
          const isOld = notes.some(({ kind }) => kind === 'v1')
          if (isOld) expect(selected).toBe('DecodeError UnreadableVersion')
          else expect(selected).toHaveLength(expected.length)

          const either = query().where((c) => c.n.eq(1).or(c.n.eq(2)))
          expect(await either.count()).toBe(notes.filter(({ n }) => n === 1 || n === 2).length)
          const elsewhere = query().inPartitions(['acme2;d1', 'bolt;d1'])
          expect(await elsewhere.toArray()).toEqual([])

          for (const asked of [query(), either, points, parallel, elsewhere, query().take(size)]) {
            const plan = asked.explain()
            sent.length = 0
            await asked.toArray()
            const { least, most = Number.POSITIVE_INFINITY } = plan.requests
            expect(sent.length).toBeGreaterThanOrEqual(least)
            expect(sent.length).toBeLessThanOrEqual(most)
            const texts = sent.map(textOf)
            const isSent = (part: string) => texts.some((text) => text.includes(part))
            expect(partsOf(plan).filter((part) => !isSent(part))).toEqual([])
          }

          for (const id of ids) {
            const target = { day: 'd1', id }
            const row = rows.find(
              (each) => partitionOf(each) === 'acme;d1' && rowKeyOf(each) === id,
            )
            const found = row && live(row) ? row : undefined
            const [one, two, there, [many]] = [
              await codeOf(() => acme.find(target)),
              await codeOf(() => acme.get(target)),
              await codeOf(() => acme.exists(target)),
              await acme.getMany([target]).catch((error: Error) => [error]),
            ]
            const [result] = await acme
              .batch()
              .retrieve(target)
              .submit()
              .catch((error: Error) => [{ entity: error }])
            const executed = await codeOf(async () => {
              return (await acme.execute(Operation.retrieve(target as never))).entity
            })
            const part = await codeOf(() => acme.find(target, { select: ['n'] }))
            const resolve = (_: string, rowKey: string) => rowKey
            const key = await codeOf(() => acme.find(target, { resolve }))
            expect(key).toBe(found && id)
            if (found === undefined) expect(part).toBeUndefined()
            else if (found.kind === 'v2') expect(part).toMatchObject({ n: found.n })
            else expect(part).toMatch(/^DecodeError /)
            if (found === undefined) {
              expect([one, two, there, many, result?.entity, executed]).toEqual([
                undefined,
                'EntityNotFoundError ResourceNotFound',
                false,
                undefined,
                undefined,
                undefined,
              ])
            } else if (found.kind === 'task') {
              const wrong = 'DecodeError UnknownType'
              expect([one, two, there, executed]).toEqual([wrong, wrong, wrong, wrong])
              expect([many, result?.entity]).toMatchObject([
                { code: 'UnknownType' },
                { code: 'UnknownType' },
              ])
            } else {
              const note = shown(found)
              expect([one, two, many, result?.entity, executed]).toMatchObject(Array(5).fill(note))
              expect(there).toBe(true)
            }
          }
          expect(await codeOf(() => acme.get(['acme;d1', '~rk~a']))).toBe('InputError ReservedKey')
          expect(await codeOf(() => acme.get(['acme2;d1', 'a']))).toBe('InputError OutsideWithin')
        },
      ),
      { numRuns: randomSteps(160) },
    )
  })

  it('are the same by every way to read a union of their types', async () => {
    const Types = union(Plain, Task)
    await fc.assert(
      fc.asyncProperty(
        fc.array(stored, { maxLength: 24 }),
        fc.integer({ min: 1, max: 3 }),
        async (given, size) => {
          const whole = given.filter(({ kind }) => kind !== 'kept')
          const { account, rows } = await tableWith(whole, flavour)
          const acme = account.table('notes', Types).within({ tenant: 'acme' })
          const own = rows.filter(({ tenant }) => tenant === 'acme')
          const expected = own.map(({ tenant, day, id, n }) => ({ tenant, day, id, n }))
          const query = () => acme.query().allowPartitionScan().allowTableScan()
          expect(inOrder(await query().toArray())).toMatchObject(expected)
          expect(await query().count()).toBe(expected.length)
          expect(await query().where({ n: 1 }).count()).toBe(own.filter(({ n }) => n === 1).length)
          const either = query().where((c) => c.n.eq(1).or(c.n.eq(2)))
          expect(await either.count()).toBe(own.filter(({ n }) => n === 1 || n === 2).length)
          expect(await query().select('n').toArray()).toHaveLength(expected.length)
          const elsewhere = query().inPartitions(['acme2;d1', 'bolt;d1'])
          expect(await elsewhere.toArray()).toEqual([])
          const tasks = acme.ofType(Task).query().allowPartitionScan().allowTableScan()
          expect(await tasks.count()).toBe(own.filter(({ kind }) => kind === 'task').length)
          const paged: object[] = []
          for await (const { items } of query().pageSize(size).byPage()) paged.push(...items)
          expect(inOrder(paged as typeof expected)).toMatchObject(expected)
          const points = query().where({ day: 'd1', id: anyOf(['a', 'b', 'c', 'd', 'e']) })
          expect(inOrder(await points.toArray())).toMatchObject(
            expected.filter(({ day }) => day === 'd1'),
          )
          for (const { day, id, n, kind } of own) {
            const row = await acme.get([`acme;${day}`, id])
            expect(row).toMatchObject({ tenant: 'acme', id, n })
            expect('label' in row).toBe(kind !== 'task')
            const task = await codeOf(() => acme.ofType(Task).exists({ day, id }))
            expect(task).toBe(kind === 'task' ? true : 'DecodeError UnknownType')
          }
        },
      ),
      { numRuns: randomSteps(160) },
    )
  })
})
