import fc from 'fast-check'
import { connect, defineEntity, key, Operation, type Table } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../../support/random-steps.ts'
import {
  entitySchema,
  type Library,
  type RandomSchema,
  type RandomValue,
  randomProperty,
  shownBy,
} from './random-schema.ts'

type Entity = Record<string, unknown>
type Orders = Table<Entity, Entity, Entity>
type Values = Readonly<Record<string, RandomValue>>

/** Each write of a whole row. */
const MAKES: readonly ((orders: Orders, entity: Entity) => Promise<unknown>)[] = [
  (orders, entity) => orders.insertOrReplace(entity),
  (orders, entity) => orders.batch().insertOrReplace(entity).submit(),
  (orders, entity) => orders.execute(Operation.insertOrReplace(entity)),
  async (orders, entity) => await orders.bulk().insertOrReplace([entity]),
  async (orders, entity) => {
    await orders.deleteIfExists({ p: entity.p, r: entity.r }, { etag: '*' })
    await orders.insert(entity)
  },
]
/** Each write of some properties, whatever is stored. */
const MERGES: readonly ((orders: Orders, entity: Entity) => Promise<unknown>)[] = [
  (orders, entity) => orders.insertOrMerge(entity),
  (orders, entity) => orders.batch().insertOrMerge(entity).submit(),
  (orders, entity) => orders.execute([Operation.insertOrMerge(entity)]),
  async (orders, entity) => await orders.bulk().insertOrMerge([entity]),
]
/** Each write of an entity that was read. */
const CHANGES: readonly ((orders: Orders, entity: Entity) => Promise<unknown>)[] = [
  (orders, entity) => orders.merge(entity),
  (orders, entity) => orders.batch().merge(entity).submit(),
  (orders, entity) =>
    orders.modify({ p: entity.p, r: entity.r }, (stored) => void Object.assign(stored, entity)),
]
/** Each read of one row. */
const READS: readonly ((orders: Orders, at: Entity) => Promise<Entity | undefined>)[] = [
  (orders, at) => orders.get(at),
  (orders, at) => orders.find(at),
  async (orders, at) => (await orders.getMany([at]))[0],
  async (orders, at) => (await orders.query().where(at).toArray())[0],
]

type Step =
  | {
      readonly how: 'make' | 'merge'
      readonly by: number
      readonly r: string
      readonly values: Values
    }
  | {
      readonly how: 'change'
      readonly by: number
      readonly r: string
      readonly name: string
      readonly value: RandomValue
    }
  | { readonly how: 'same'; readonly by: number; readonly r: string }

function stepOf(properties: Readonly<Record<string, RandomSchema>>): fc.Arbitrary<Step> {
  const by = fc.nat(100)
  const r = fc.constantFrom('1', '2')
  const values = fc
    .record(
      Object.fromEntries(Object.entries(properties).map(([name, { value }]) => [name, value])),
    )
    .map((all) =>
      Object.fromEntries(
        Object.entries(all).filter(([, { input }]) => input !== undefined && input !== null),
      ),
    )
  const change = fc.constantFrom(...Object.keys(properties)).chain((name) =>
    fc.record({
      how: fc.constant('change' as const),
      by,
      r,
      name: fc.constant(name),
      value: properties[name]?.value ?? fc.constant({ input: undefined, given: undefined }),
    }),
  )
  return fc.oneof(
    fc.record({ how: fc.constantFrom('make' as const, 'merge' as const), by, r, values }),
    change,
    fc.record({ how: fc.constant('same' as const), by, r }),
  )
}

const given = (values: Values): Entity =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.given]))
const ofList = <Item>(list: readonly Item[], at: number): Item => list[at % list.length] as Item

/** Plays steps on a table, and compares each read with what the library itself makes of the values. */
async function play(
  library: Library,
  properties: Readonly<Record<string, RandomSchema>>,
  steps: readonly Step[],
): Promise<void> {
  const account = connect('memory:')
  const schemas = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, each.schema]),
  )
  const model = defineEntity({
    name: 'orders',
    partitionKey: key`${'p'}`,
    rowKey: key`${'r'}`,
    schema: entitySchema(library, schemas) as never,
  })
  const orders = account.table(model as never) as unknown as Orders
  await orders.create()
  const rows = account.table('orders')
  const stored = async (r: string) => {
    const row = await rows.find(['a', r])
    return (
      row &&
      Object.fromEntries(
        [...row.properties].map(([name, { type, value }]) => [name, [type, value]]),
      )
    )
  }
  /** What each row must show, by its stored properties. */
  const expected = new Map<string, Entity>()
  const shown = (values: Values): Entity =>
    Object.fromEntries(
      Object.entries(values).map(([name, { input }]) => [name, shownBy(schemas[name], input)]),
    )
  const defaults = shown(
    Object.fromEntries(
      Object.keys(schemas).map((name) => [name, { input: undefined, given: undefined }]),
    ),
  )
  for (const step of steps) {
    const at = { p: 'A', r: step.r }
    const other = step.r === '1' ? '2' : '1'
    const [own, others] = [await stored(step.r), await stored(other)]
    const known = expected.get(step.r)
    if (step.how === 'make' || step.how === 'merge') {
      const entity = { ...at, ...given(step.values) }
      await ofList(step.how === 'make' ? MAKES : MERGES, step.by)(orders, entity)
      const base = step.how === 'make' ? defaults : known
      expected.set(step.r, { ...base, ...shown(step.values) })
      expect(entity.p).toBe('a')
      expect(entity).toMatchObject(shown(step.values))
      if (step.how === 'make') expect(entity).toHaveProperty('no', expect.any(Number))
      else
        expect(Object.keys(entity).sort()).toEqual(['p', 'r', ...Object.keys(step.values)].sort())
    } else if (known !== undefined) {
      const entity = await orders.get(at)
      if (step.how === 'change' && (step.value.input ?? undefined) !== undefined) {
        entity[step.name] = step.value.given
        expected.set(step.r, {
          ...known,
          [step.name]: shownBy(schemas[step.name], step.value.input),
        })
      }
      await ofList(CHANGES, step.by)(orders, entity)
      const touched = step.how === 'change' ? [step.name] : []
      const after = Object.entries((await stored(step.r)) ?? {}).filter(
        ([name]) => !touched.includes(name),
      )
      // A write leaves alone what was not touched.
      expect(Object.fromEntries(after)).toEqual(
        Object.fromEntries(Object.entries(own ?? {}).filter(([name]) => !touched.includes(name))),
      )
    }
    // No call addresses another row.
    expect(await stored(other)).toEqual(others)
    const row = expected.get(step.r)
    if (row === undefined) continue
    const read = await ofList(READS, step.by)(orders, at)
    expect(read).toMatchObject({ p: 'a', r: step.r })
    for (const name of Object.keys(schemas))
      expect(read?.[name] ?? undefined).toEqual(row[name] ?? defaults[name] ?? undefined)
    expect(await ofList(READS, step.by + 1)(orders, at)).toEqual(read)
    // A condition finds what reads show.
    for (const [name, { isPlain }] of Object.entries(properties)) {
      if (!isPlain || (read?.[name] ?? undefined) === undefined) continue
      expect(
        await orders
          .query()
          .where({ ...at, [name]: read?.[name] })
          .count(),
      ).toBe(1)
    }
  }
  const all = await rows.query().allowTableScan().toArray()
  expect(all.map(({ partitionKey, rowKey }) => [partitionKey, rowKey])).toEqual(
    [...expected.keys()].sort().map((r) => ['a', r]),
  )
  await account.close()
}

describe('a random history of calls, by a random schema', () => {
  it.each([
    ['zod', 100],
    ['valibot', 100],
    ['arktype', 20], // it compiles each type
  ] as const)(
    'R-69: stores, reads and finds what the schema says, in %s',
    async (library, runs) => {
      const properties = fc.record({ a: randomProperty(library), b: randomProperty(library) })
      const history = properties.chain((all) =>
        fc.tuple(fc.constant(all), fc.array(stepOf(all), { minLength: 1, maxLength: 8 })),
      )
      await fc.assert(
        fc.asyncProperty(history, ([all, steps]) => play(library, all, steps)),
        { numRuns: randomSteps(runs) },
      )
    },
    600_000,
  )
})
