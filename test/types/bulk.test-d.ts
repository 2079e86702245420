import {
  type BulkOutcome,
  type BulkSummary,
  Entity,
  Operation,
  PartitionKey,
  Property,
  RowKey,
  type Table,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { describe, expectTypeOf, it } from 'vitest'

@Entity('people')
class Person {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int32') age?: number
}

declare const people: Table<Person>
declare const rows: Table<DynamicEntity>
declare const jeff: Person
declare const row: DynamicEntity
declare const stream: AsyncIterable<Person>

describe('a bulk writer', () => {
  it('gives a summary when it is awaited, and outcomes with the items of its input', async () => {
    const run = people.bulk().insert([jeff])
    expectTypeOf(await run).toEqualTypeOf<BulkSummary>()
    for await (const outcome of run) {
      expectTypeOf(outcome).toEqualTypeOf<BulkOutcome<Person>>()
      if (outcome.status === 'done') expectTypeOf(outcome.etag).toEqualTypeOf<string | undefined>()
      // @ts-expect-error a done operation has no error
      else if (outcome.status === 'failed') outcome.etag
    }
  })

  it('accepts entities of its table, from any input', () => {
    people.bulk().insertOrReplace(stream)
    people.bulk().delete(new Set([{ lastName: 'Smith', firstName: 'Jeff' }]), { etag: '*' })
    people.bulk().delete([['Smith', 'Jeff']])
    rows.bulk().merge([row])
    // @ts-expect-error a stone is not a person
    people.bulk().insert([{ weight: 1 }])
    // @ts-expect-error an insert has no condition
    people.bulk().insert([jeff], { etag: '*' })
  })

  it('accepts operations that write', () => {
    people.bulk().execute([Operation.insert(jeff), Operation.delete(jeff, { etag: '*' })])
    // @ts-expect-error a retrieve does not write
    people.bulk().execute([Operation.retrieve('Smith', 'Jeff')])
  })

  it('passes the stored entity to modify', () => {
    people.bulk({
      onConflict: 'modify',
      modify: (stored) => {
        expectTypeOf(stored).toEqualTypeOf<Person>()
      },
    })
  })

  it("says what a missing row means, where the rows are the caller's", () => {
    people.bulk({ onMissing: 'skip' }).merge([jeff])
    people.buffered({ onMissing: 'fail' })
    // @ts-expect-error a missing row cannot be inserted by a merge
    people.bulk({ onMissing: 'insert' })
    // @ts-expect-error a row that is gone was to be deleted
    people.deletePartition('Smith', { onMissing: 'fail' })
  })
})

describe('deleting and copying rows', () => {
  it('is possible while a query returns whole entities', () => {
    expectTypeOf(
      people.query().where({ lastName: 'Smith' }).take(5).deleteAll(),
    ).resolves.toEqualTypeOf<BulkSummary>()
    people.query().allowTableScan().copyTo(rows)
    rows.copyTo(people, { mode: 'insert', onConflict: 'skip' })
    // @ts-expect-error rows of a projection are copied as a whole
    people.query().select('age').copyTo(rows)
    // @ts-expect-error only a table can receive rows
    people.copyTo('archive')
  })
})

describe('a buffered writer', () => {
  it('accepts entities and operations of its table', () => {
    const log = people.buffered({ maxAge: 5 })
    expectTypeOf(log.insert(jeff)).resolves.toEqualTypeOf<void>()
    void log.add(Operation.merge(jeff))
    // @ts-expect-error a stone is not a person
    void log.insert({ weight: 1 })
    // @ts-expect-error a retrieve does not write
    void log.add(Operation.retrieve('Smith', 'Jeff'))
  })
})
