import {
  type Account,
  Blob,
  Json,
  modelOf,
  PartitionKey,
  Property,
  RowKey,
  Text,
} from '@rowkey/mapper'
import { EDM_TYPES, type EdmType, type EdmValue, parseDateTime } from '@rowkey/odata'
import fc from 'fast-check'
import { objectsOf } from './object-codec.ts'
import { changesOf } from './object-writes.ts'

/** Values of every type, with the awkward ones among them. */
const valuesOf: { readonly [Type in EdmType]: fc.Arbitrary<EdmValue<Type>> } = {
  Binary: fc.uint8Array({ maxLength: 40 }),
  Boolean: fc.boolean(),
  DateTime: fc
    .tuple(
      fc.date({ min: new Date('1601-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      fc.integer({ min: 0, max: 9_999 }),
    )
    .map(([date, ticks]) =>
      parseDateTime(`${date.toISOString().slice(0, -1)}${String(ticks).padStart(4, '0')}Z`),
    ),
  Double: fc.double(),
  Guid: fc.uuid(),
  Int32: fc.integer(),
  Int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  String: fc.string({ unit: 'grapheme', maxLength: 20 }),
}

/** How a stored property can be declared so that it is read without loss. */
export type Declaration = EdmType | 'any' | 'text' | 'blob' | 'json' | 'undeclared'

/** One property of a row and of a model. */
export interface RandomColumn {
  readonly type: EdmType
  readonly value: EdmValue
  readonly declared: Declaration
  /** What the member may be set to. */
  readonly next: unknown
}

const widerTypes: { readonly [Type in EdmType]?: readonly Declaration[] } = {
  Binary: ['blob'],
  Int32: ['Int64', 'Double'],
  String: ['text'],
}

const jsonColumn: fc.Arbitrary<RandomColumn> = fc.record({
  type: fc.constant('String' as const),
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value, null, 2)),
    fc.constantFrom('1e999', '{"a":1,"a":12345678901234567890}', '["\\ud800", -0]', 'null'),
  ),
  declared: fc.constant('json' as const),
  next: fc.array(fc.integer(), { minLength: 1 }),
})

function columnOf(type: EdmType): fc.Arbitrary<RandomColumn> {
  const value: fc.Arbitrary<EdmValue> = valuesOf[type]
  const declarations = [type, 'any', 'undeclared', ...(widerTypes[type] ?? [])] as const
  return fc.constantFrom<Declaration>(...declarations).chain((declared) => {
    const nextType = declared in valuesOf ? (declared as EdmType) : type // one of the table's keys
    const next: fc.Arbitrary<EdmValue> = valuesOf[nextType]
    return fc.record({ type: fc.constant(type), value, declared: fc.constant(declared), next })
  })
}

/** Some properties by their names: what a row holds, and how a model declares it. */
export const randomColumns: fc.Arbitrary<Readonly<Record<string, RandomColumn>>> = fc.dictionary(
  fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/).filter((name) => name !== 'pk' && name !== 'rk'),
  fc.oneof(jsonColumn, ...EDM_TYPES.map(columnOf)),
  { minKeys: 1, maxKeys: 8 },
)

/** An entity of a random model. */
export type RandomEntity = Record<string, unknown>

/** A class with the members `pk`, `rk` and the declared ones; a decorator is a function like any other. */
export function randomModel(
  columns: Readonly<Record<string, RandomColumn>>,
): new () => RandomEntity {
  const Random = class {} as new () => RandomEntity
  PartitionKey()(Random.prototype as { pk?: string }, 'pk')
  RowKey()(Random.prototype as { rk?: string }, 'rk')
  for (const [name, { declared }] of Object.entries(columns))
    declare(Random.prototype, name, declared)
  return Random
}

function declare(prototype: object, name: string, declared: Declaration): void {
  const members = prototype as Record<string, never>
  if (declared === 'undeclared') return
  if (declared === 'any') Property()(members, name)
  else if (declared === 'text') Text()(members, name)
  else if (declared === 'blob') Blob()(members, name)
  else if (declared === 'json') Json()(members, name)
  else Property(declared)(members, name)
}

/** What an entity of a random model was written as, what it is written as once it was read, and what a merge would send then. */
export async function writtenAndRead(
  account: Account,
  columns: Readonly<Record<string, RandomColumn>>,
  rowKey: string,
): Promise<{ written: string; read: string; changes: string | undefined }> {
  const Random = randomModel(columns)
  const table = account.table(Random, 'rows')
  const entity = Object.assign(new Random(), { pk: 'p', rk: rowKey })
  for (const [name, { declared, next }] of Object.entries(columns)) {
    if (declared !== 'undeclared') Object.assign(entity, { [name]: next })
  }
  const codec = objectsOf(modelOf(Random))
  const written = codec.write(entity)
  await table.insert(entity)
  const read = await table.get(['p', rowKey])
  return { written, read: codec.write(read), changes: changesOf(codec, read) }
}
